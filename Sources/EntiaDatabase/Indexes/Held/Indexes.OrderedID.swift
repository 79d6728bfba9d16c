import EntiaCollections

extension Indexes {
  /// A list of IDs that the user holds and orders, each once; an ID goes with its entity.
  ///
  /// ```swift
  /// @Index var favorites: Indexes.OrderedID<Book> = .init()
  ///
  /// try library.performBatchUpdates { context in
  ///   context.modifying.favorites.append("b1")
  /// }
  /// library.books.find(in: library.favorites)
  /// ```
  ///
  /// Unlike other indexes, it is a part of the database's value: of `==`, of change sets and of what
  /// is encoded.
  public struct OrderedID<Entity: EntityType>: Sendable {
    var table = PersistentOrderedTable<SelfKeyed<Entity.EntityID>>()

    /// Creates an empty list.
    public init() {}

    /// How many IDs there are.
    /// - Complexity: O(1).
    public var count: Int { table.count }

    /// Whether there are no IDs.
    /// - Complexity: O(1).
    public var isEmpty: Bool { table.count == 0 }

    /// Returns all IDs, in order.
    /// - Complexity: O(*n*).
    public func ids() -> [Entity.EntityID] { Array(table) }

    /// Whether an ID is in the list.
    /// - Complexity: O(1) expected.
    public func contains(_ id: Entity.EntityID) -> Bool { table.contains(id) }

    /// Returns the position of an ID, or `nil`.
    /// - Complexity: O(log *n*).
    public func position(of id: Entity.EntityID) -> Int? { table.position(of: id) }

    /// The ID at a position, or `nil` when there are not as many.
    /// - Complexity: O(log *n*).
    public subscript(position: Int) -> Entity.EntityID? {
      position >= 0 && position < count ? table[position: position] : nil
    }
  }
}

extension Indexes.OrderedID: HeldIDs {
  /// Whether two lists have the same IDs in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.table == b.table }

  /// Whether two are the same version, sharing everything; `true` means surely equal.
  /// - Complexity: O(1).
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }

  /// Puts an ID last, unless it is held.
  /// - Complexity: O(log *n*).
  public mutating func hold(_ id: Entity.EntityID) {
    if !contains(id) { table.append(id) }
  }

  /// Takes an ID out of the list.
  /// - Returns: whether it was there.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func forget(_ id: Entity.EntityID) -> Bool { table.remove(id) != nil }

  /// Merges the changes of another version.
  ///
  /// IDs that it removed are removed. IDs that it inserted or moved are placed beside their nearest
  /// unmoved neighbors. Between the same two neighbors, IDs of this version come first.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    let moved = table.differences(from: changes.old.table).moved.map(\.element)
    let theirs = changes.new.table.differences(from: changes.old.table)
    for removed in theirs.removed { table.remove(removed.element) }
    for inserted in theirs.inserted { table.append(inserted.element) }
    let placed = theirs.inserted.map(\.element) + theirs.moved.map(\.element)
    table.place(.init(placed), asIn: changes.new.table, moved: .init(moved))
  }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  public func makeIterator() -> AnyIterator<Entity.EntityID> { AnyIterator(table.makeIterator()) }
}

extension Indexes.OrderedID: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes the IDs as an array.
  /// - Throws: what encoding an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for id in self { try container.encode(id) }
  }
}

extension Indexes.OrderedID: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of IDs; of a repeated one the first counts.
  /// - Throws: what decoding an ID throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { table.append(try container.decode(Entity.EntityID.self)) }
  }
}
