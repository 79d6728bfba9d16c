/// An identified array of `Identifiable` elements.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

/// An array whose elements have unique IDs and are accessed by position or by ID.
///
/// ```swift
/// struct Todo: Identifiable, Equatable {
///   let id: Int
///   var title: String
///   var isComplete = false
/// }
///
/// var todos: IdentifiedArrayOf<Todo> = [Todo(id: 1, title: "Milk"), Todo(id: 2, title: "Bread")]
/// todos[id: 2]?.isComplete.toggle()
/// todos.move(from: 1, to: 0)
/// todos[0].title                            // "Bread"
/// todos.index(id: 1)                        // 1
/// ```
///
/// Elements of any other type need a key path to their ID:
///
/// ```swift
/// var numbers = IdentifiedArray(id: \Int.self)
/// ```
///
/// A copy costs nothing and shares its storage. A change copies only the path to what it changes.
/// Inserting, moving and removing take logarithmic time anywhere in the array, and
/// `changes(since:)` returns the differences of two versions by ID.
///
/// An element must keep its ID while it is stored. An assignment through `[id:]` or a change in
/// place that violates this stops the program. For elements from outside the program, use the
/// methods with a `DuplicatePolicy` parameter; they throw instead.
@frozen
public struct IdentifiedArray<ID: Hashable, Element> {
  @usableFromInline typealias Layout = IdentifiedEntries<ID, Element>
  @usableFromInline typealias Table = PersistentOrderedTable<Layout>
  @usableFromInline typealias Entry = IdentifiedEntry<ID, Element>

  /// The key path from an element to its ID.
  public let id: KeyPath<Element, ID>

  @usableFromInline var table: Table

  @inlinable
  init(id: KeyPath<Element, ID>, table: Table, usesIdentifiable: Bool) {
    self.id = id
    self.table = table
    self.table.ownerFlag = usesIdentifiable
  }

  /// The elements, in order.
  /// - Complexity: O(*n*), unlike the array itself, which is a collection. Prefer the array.
  @inlinable
  public var elements: [Element] {
    var result: [Element] = []
    result.reserveCapacity(table.count)
    table.forEachChunk { for entry in $0 { result.append(entry.value) } }
    return result
  }

  /// The element with an ID, or `nil`.
  ///
  /// Assigning an element replaces the one with its ID in place, or appends it. Assigning `nil`
  /// removes the element. A change in place copies only what an older version shares.
  ///
  /// - Precondition: An assigned element has the ID.
  /// - Complexity: O(1) expected to read, O(log *n*) to change.
  @inlinable
  public subscript(id id: ID) -> Element? {
    @inline(__always)
    get { table.pointer(to: IdentifiedKey(id))?.pointee.value }
    set {
      guard let newValue else {
        table.remove(IdentifiedKey(id))
        return
      }
      checkID(of: newValue, is: id)
      table.updateOrAppend(Entry(key: IdentifiedKey(id), value: newValue))
    }
    _modify {
      let key = IdentifiedKey(id)
      let tag = table.tag(of: key)
      let place = table.place(of: key, tag: tag)
      // The element is moved out and back, so that its references stay uniquely referenced.
      let leaf = place.map { table.leaves.unique($0.leaf) }
      var value: Element?
      if let place, let leaf {
        value = Self.value(of: leaf.mutableElements + place.offset).move()
      }
      defer {
        if let place, let leaf {
          let entry = leaf.mutableElements + place.offset
          if let value = value.take() {
            Self.value(of: entry).initialize(to: value)
            checkID(at: Self.value(of: entry), is: key)
          } else {
            Self.key(of: entry).deinitialize(count: 1)
            table.close(place, leaf, tag: tag)
          }
        } else if let value = value.take() {
          checkID(of: value, is: id)
          table.put(Entry(key: key, value: value), tag: tag, at: table.count)
        }
      }
      yield &value
    }
  }

  /// Whether there is an element with the given element's ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ element: Element) -> Bool { contains(id: id(of: element)) }

  /// Whether there is an element with an ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(id: ID) -> Bool { table.contains(IdentifiedKey(id)) }

  /// Returns the position of the element with an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func index(id: ID) -> Int? { table.position(of: IdentifiedKey(id)) }

  @inlinable
  mutating func replaceTable(by new: Table) {
    let flag = table.ownerFlag
    table = new
    table.ownerFlag = flag
  }

  /// Returns the entry of an element.
  @inlinable
  @inline(__always)
  func entry(_ element: Element) -> Entry {
    Entry(key: IdentifiedKey(id(of: element)), value: element)
  }

  /// Returns the address of an entry's element, which may be moved out temporarily.
  @inlinable
  @inline(__always)
  static func value(of entry: UnsafeMutablePointer<Entry>) -> UnsafeMutablePointer<Element> {
    withUnsafeMutablePointer(to: &entry.pointee.value) { $0 }
  }

  /// Returns the address of an entry's key: its first field, which is at the start of a frozen
  /// structure.
  @inlinable
  @inline(__always)
  static func key(
    of entry: UnsafeMutablePointer<Entry>
  ) -> UnsafeMutablePointer<IdentifiedKey<ID>> {
    UnsafeMutableRawPointer(entry).assumingMemoryBound(to: IdentifiedKey<ID>.self)
  }

  @inlinable
  @inline(__always)
  func checkID(of element: Element, is id: ID) {
    withUnsafePointer(to: element) { checkID(at: $0, is: IdentifiedKey(id)) }
  }

  // An address, because an element that is passed as an argument would be retained and released.
  @inlinable
  @inline(__always)
  func checkID(at element: UnsafePointer<Element>, is key: IdentifiedKey<ID>) {
    precondition(
      IdentifiedKey(Self.id(at: element, idPath)) == key, "Element identity must remain constant")
  }
}

// Unchecked only because of the key path, which is immutable and used only for reading.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}
