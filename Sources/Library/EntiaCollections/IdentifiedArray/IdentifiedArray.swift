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

  /// The element with an ID, or `nil`.
  ///
  /// Assigning an element replaces the stored element with the same ID in place. If there is none,
  /// the assigned element is appended. Assigning `nil` removes the element. A change in place
  /// copies only what an older version shares.
  ///
  /// - Precondition: An assigned element has the ID `id`.
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
      // The element is moved out and back rather than copied, so that the objects to which it
      // refers stay uniquely referenced.
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

  // Takes an address, because an element as an argument would be retained and released.
  @inlinable
  @inline(__always)
  func checkID(at element: UnsafePointer<Element>, is key: IdentifiedKey<ID>) {
    precondition(
      IdentifiedKey(Self.id(at: element, idPath)) == key, "Element identity must remain constant")
  }
}

// Unchecked only because of the key path, which is immutable and used only for reading.
extension IdentifiedArray: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray: Encodable where Element: Encodable {}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes the elements of an array.
  /// - Throws: The error of the decoder, and `DecodingError.dataCorrupted` if an element has the ID
  ///   of an earlier one.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    var builder = OrderedTableBuilder<Layout>()
    while !container.isAtEnd {
      let offset = container.currentIndex
      guard builder.appendIfNew(entry(try container.decode(Element.self))) == nil else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "Duplicate element at offset \(offset)"))
      }
    }
    replaceTable(by: builder.finish())
  }
}

extension IdentifiedArray: TreeCollection {
  /// The position after the last element.
  @inlinable
  public var endIndex: Int { table.count }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Element> { ElementIterator(self) }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<Element> {
    ReverseElementIterator(table, 0..<table.count)
  }

  /// An iterator over the elements of one version, in order.
  @frozen
  @usableFromInline
  struct ElementIterator: IteratorProtocol {
    @usableFromInline var entries: Table.Iterator

    @inlinable
    init(_ array: IdentifiedArray) { entries = array.table.makeIterator() }

    @inlinable
    init(_ array: IdentifiedArray, _ positions: Range<Int>) {
      entries = array.table.makeIterator(of: positions)
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    mutating func next() -> Element? { entries.nextPointer()?.pointee.value }
  }

  /// An iterator over elements of one version, from the last to the first.
  @frozen
  @usableFromInline
  struct ReverseElementIterator: IteratorProtocol {
    @usableFromInline var entries: OrderedReverseIterator<Layout>

    @inlinable
    init(_ table: Table, _ positions: Range<Int>) {
      entries = OrderedReverseIterator(table, positions)
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    mutating func next() -> Element? { entries.nextPointer()?.pointee.value }
  }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible {
  /// The type of the elements, and the elements formatted like an array.
  public var debugDescription: String { "IdentifiedArray<\(Element.self)>(\(description))" }
}

extension IdentifiedArray: CustomReflectable {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays hold equal elements in the same order; their key paths may differ.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.table == rhs.table }
}

extension IdentifiedArray: Hashable where Element: Hashable {}

extension IdentifiedArray {
  /// Whether two arrays are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }
}

extension IdentifiedArray {
  /// The IDs of the elements, in their order. The collection is an independent value that does not
  /// keep the elements alive.
  ///
  /// The IDs are copied. Use `contains(id:)` or `index(id:)` to look up one ID, because they copy
  /// nothing.
  /// - Complexity: O(*n*), without hashing an ID.
  @inlinable
  public var ids: OrderedIDs<ID> { OrderedIDs(table: table.keys) }
}

extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {
  /// Replaces the elements at a range of positions.
  ///
  /// A new element whose ID is elsewhere in the array replaces the element there. Of several new
  /// elements with the same ID, the first is stored, at the position of the last.
  /// `insert(contentsOf:at:duplicates:)` supports other behaviors.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements.
  @inlinable
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    table.removeSubrange(range)
    for element in elements.reversed() {
      table.updateOrInsert(entry(element), at: range.lowerBound)
    }
  }
}
