public import EntiaCollections

extension Indexes {
  /// A list of IDs that the user holds and orders, each once. An ID is removed with its entity.
  ///
  /// ```swift
  /// @Index var favorites: Indexes.OrderedID<Book> = .init()
  ///
  /// try library.performBatchUpdates { context in
  ///   context.modifying.favorites.append("b1")
  /// }
  /// library.favorites.last                     // a collection of its IDs
  /// library.books.find(in: library.favorites)
  /// ```
  ///
  /// Unlike other indexes, it is part of the database's value: of `==`, of change sets and of the
  /// encoded form.
  public struct OrderedID<Entity: EntityType>: Sendable {
    @usableFromInline package var table = PersistentOrderedTable<SelfKeyed<Entity.EntityID>>()

    /// Creates an empty list.
    public init() {}

    /// Returns all IDs, in order.
    /// - Complexity: O(*n*).
    public func ids() -> [Entity.EntityID] { Array(table) }
  }
}

extension Indexes.OrderedID: HeldIDs {
  /// The proof that the type is one of Entia's.
  public static var seal: Seal<Self> { Seal() }

  /// Whether two lists have the same IDs in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.table == b.table }

  /// Whether two are the same version and share all storage; `true` implies that they are equal.
  /// - Complexity: O(1).
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }

  /// Appends an ID, unless it is held.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ id: Entity.EntityID) {
    if !contains(id) { table.append(id) }
  }

  /// Removes an ID from the list.
  /// - Returns: Whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Bool { table.remove(id) != nil }

  /// Merges the changes of another version.
  ///
  /// IDs that it removed are removed. IDs that it inserted or moved are placed next to their
  /// nearest unmoved neighbors. Between the same two neighbors, IDs of this version are first.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    let moved = table.differences(from: changes.old.table).moved.map(\.element)
    let theirs = changes.new.table.differences(from: changes.old.table)
    for removed in theirs.removed { table.remove(removed.element) }
    for inserted in theirs.inserted { table.append(inserted.element) }
    let placed = theirs.inserted.map(\.element) + theirs.moved.map(\.element)
    table.place(.init(placed), asIn: changes.new.table, moved: .init(moved))
  }
}

extension Indexes.OrderedID: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes the IDs as an array.
  /// - Throws: The error that encoding an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for id in self { try container.encode(id) }
  }
}

extension Indexes.OrderedID: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of IDs. Only the first of repeated IDs is kept.
  /// - Throws: The error that decoding an ID throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { table.append(try container.decode(Entity.EntityID.self)) }
  }
}
