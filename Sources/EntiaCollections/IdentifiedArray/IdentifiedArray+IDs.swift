extension IdentifiedArray {
  /// The IDs of the elements, in their order.
  /// - Complexity: O(1).
  @inlinable
  public var ids: IDs { IDs(storage: .array(table)) }

  /// The unique IDs of an array's elements in their order: a collection with a set's look-up.
  ///
  /// ```swift
  /// todos.ids == [1, 2]
  /// todos.ids.contains(2)          // O(1)
  /// todos.ids.firstIndex(of: 2)    // O(log n)
  /// ```
  @frozen
  public struct IDs {
    @usableFromInline
    enum Storage {
      case array(Table)
      /// IDs of their own, without elements: those of a literal.
      case list(PersistentOrderedTable<SelfKeyed<IdentifiedKey<ID>>>)
    }

    @usableFromInline let storage: Storage

    @inlinable
    init(storage: Storage) { self.storage = storage }
  }
}

extension IdentifiedArray.IDs: RandomAccessCollection {
  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position behind the last ID.
  @inlinable
  public var endIndex: Int {
    switch storage {
    case .array(let table): table.count
    case .list(let list): list.count
    }
  }

  /// The ID at a position.
  /// - Precondition: the position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> ID {
    switch storage {
    case .array(let table):
      table.checkElement(at: position)
      let place = table.place(at: position)
      return IdentifiedArray.Table.Leaves.elements(table.leaves[place.leaf])[place.offset].key.id
    case .list(let list): return list[position: position].id
    }
  }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Walks the IDs in order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline var entries: IdentifiedArray.Table.Iterator?
    @usableFromInline var list: PersistentOrderedTable<SelfKeyed<IdentifiedKey<ID>>>.Iterator?

    @inlinable
    init(_ ids: IdentifiedArray.IDs) {
      switch ids.storage {
      case .array(let table): entries = table.makeIterator()
      case .list(let table): list = table.makeIterator()
      }
    }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    public mutating func next() -> ID? {
      entries?.nextPointer()?.pointee.key.id ?? list?.next()?.id
    }
  }

  /// Whether an ID is among them.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: ID) -> Bool {
    switch storage {
    case .array(let table): table.contains(IdentifiedKey(id))
    case .list(let list): list.contains(IdentifiedKey(id))
    }
  }

  /// The position of an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func firstIndex(of id: ID) -> Int? {
    switch storage {
    case .array(let table): table.position(of: IdentifiedKey(id))
    case .list(let list): list.position(of: IdentifiedKey(id))
    }
  }

  /// The position of an ID, or `nil`: there is one at most.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func lastIndex(of id: ID) -> Int? { firstIndex(of: id) }

  /// The IDs as an array.
  /// - Complexity: O(*n*).
  @inlinable
  public var elements: [ID] { Array(self) }
}

extension IdentifiedArray.IDs: ExpressibleByArrayLiteral {
  /// Creates a collection of the IDs of a literal, of which each is there once.
  @inlinable
  public init(arrayLiteral elements: ID...) {
    storage = .list(PersistentOrderedTable(elements.lazy.map { IdentifiedKey($0) }))
  }
}

extension IdentifiedArray.IDs: Hashable {
  /// Whether the IDs are the same, in the same order.
  /// - Complexity: O(*n*); O(1) for the IDs of one version.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    if case .array(let x) = a.storage, case .array(let y) = b.storage, x.isIdentical(to: y) {
      return true
    }
    return a.count == b.count && a.elementsEqual(b, by: { haveSameValue($0, $1) })
  }

  /// Hashes the IDs in their order.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for id in self { hasher.combine(id) }
  }
}

// Unchecked because the keys' wrapper is; here it is asked that the IDs be `Sendable`.
extension IdentifiedArray.IDs: @unchecked Sendable where ID: Sendable, Element: Sendable {}
extension IdentifiedArray.IDs.Iterator: @unchecked Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray.IDs: CustomStringConvertible, CustomDebugStringConvertible {
  /// The IDs as an array shows them.
  public var description: String { elements.description }

  /// The IDs as an array shows them.
  public var debugDescription: String { elements.debugDescription }
}
