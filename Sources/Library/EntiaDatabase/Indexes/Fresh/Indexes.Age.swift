public import EntiaCollections
public import Foundation

extension Indexes {
  /// The times at which rows were last received, for example from a server.
  ///
  /// ```swift
  /// @Index var postAges: Indexes.Age<Post> = .init()
  ///
  /// try feed.performBatchUpdates { $0.modifying.posts.insert(posts, receivedAt: now) }
  /// feed.postAges.receivedAt("p1")
  /// feed.postAges.ids(receivedBefore: now - 300)
  /// ```
  ///
  /// `insert(_:receivedAt:)` and `touch(_:at:)` of a table in a batch record a time. Other inserts
  /// and updates do not: a user's edit does not make a row fresh. The times come from the caller,
  /// never from a clock.
  ///
  /// The index is a part of the database as a value: it is copied, undone, merged and encoded with
  /// it. It is not a part of `==` and of change sets, because a database that was received again is
  /// the same database.
  public struct Age<Entity: EntityType>: Sendable where Entity.EntityIDRawType: Comparable {
    @usableFromInline package var times = PersistentTable<EntryKeyed<Entity.EntityID, Date>>()
    @usableFromInline package var tree = SortedTree<IndexOrder<Date, Entity.EntityID>>()

    /// Creates an index without times.
    @inlinable
    public init() {}

    /// The number of rows with a time.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { times.count }

    /// Whether no row has a time.
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { times.isEmpty }

    /// Returns the time at which a row was last received, or `nil` when it is not known.
    /// - Complexity: O(1) expected.
    @inlinable
    public func receivedAt(_ id: Entity.EntityID) -> Date? { times[id]?.value }

    /// Whether a row was received less than a duration ago. A row of unknown age is not fresh. A
    /// time in the future counts as now.
    /// - Parameters:
    ///   - id: The ID of the row.
    ///   - duration: The duration.
    ///   - now: The current time.
    /// - Complexity: O(1) expected.
    public func isFresh(_ id: Entity.EntityID, within duration: Duration, at now: Date) -> Bool {
      receivedAt(id).map {
        EntiaDatabase.isFresh(receivedAt: $0, within: duration, at: now)
      } ?? false
    }

    /// Returns the IDs of the rows that were received before a time, oldest first. Rows of one time
    /// are in the order of their IDs.
    /// - Complexity: O(log *n*), and O(1) for each ID that is visited.
    @inlinable
    public func ids(receivedBefore time: Date) -> SortedIDs<Entity, Date> {
      SortedIDs(tree[tree.ranks(from: .unbounded, to: .excluding(time))])
    }

    /// Returns the IDs of all rows with a time, oldest first.
    /// - Complexity: O(1), and O(1) for each ID that is visited.
    @inlinable
    public func ids() -> SortedIDs<Entity, Date> { SortedIDs(tree.slice()) }
  }
}

extension Indexes.Age: AgeIndex {
  package var entries: PersistentTable<EntryKeyed<Entity.EntityID, Date>> { times }

  package init(entries: some Sequence<KeyValueEntry<Entity.EntityID, Date>>) {
    self.init()
    for entry in entries { receive(entry.key, at: entry.value) }
  }

  /// Removes the time of a removed row. An update of a row keeps its time.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { forget(old.entityID) }
  }

  /// Removes the times of the rows that are not visited.
  /// - Complexity: O(*n*).
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    if isEmpty { return }
    var missing = Swift.Set(times.map(\.key))
    visitRows { missing.remove($0.entityID) }
    for id in missing { forget(id) }
  }

  /// Returns the times without rows, and those that are not in the order.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    var sorted = times.map { SortedEntry(key: $0.value, id: $0.key) }
    sorted.sort(by: IndexOrder.precedes)
    let misplaced = tree.differences(from: SortedTree(sorted)).map { difference in
      switch difference {
      case .inserted(let entry), .removed(let entry): entry
      }
    }
    let missing = times.filter { !rebuilt.times.contains($0.key) }
    return misplaced.map { IndexMismatch(entity: EntityLabel($0.id), key: "\($0.key)") }
      + missing.map { IndexMismatch(entity: EntityLabel($0.key), key: "\($0.value)") }
  }

  @inlinable
  package func isIdentical(to other: Self) -> Bool { times.isIdentical(to: other.times) }

  /// Records that rows were received at a time.
  /// - Complexity: O(*k* · log *n*) in the number of IDs.
  @inlinable
  public mutating func rowsReceived(_ ids: some Sequence<Entity.EntityID>, at time: Date) {
    if !isEmpty {
      for id in ids { receive(id, at: time) }
      return
    }
    // Sorting all at once is faster than one insertion after another.
    var received: [SortedEntry<Date, Entity.EntityID>] = []
    times.reserveCapacity(ids.underestimatedCount)
    received.reserveCapacity(ids.underestimatedCount)
    for id in ids {
      if case .inserted = times.insert(KeyValueEntry(key: id, value: time)) {
        received.append(SortedEntry(key: time, id: id))
      }
    }
    received.sort(by: IndexOrder.precedes)
    tree = SortedTree(received)
  }

  @inlinable
  mutating func receive(_ id: Entity.EntityID, at time: Date) {
    switch times.insert(KeyValueEntry(key: id, value: time)) {
    case .unchanged: return
    case .inserted: break
    case .replaced(let old): tree.remove(SortedEntry(key: old.value, id: id))
    }
    tree.insert(SortedEntry(key: time, id: id))
  }

  @inlinable
  mutating func forget(_ id: Entity.EntityID) {
    guard let removed = times.remove(id) else { return }
    tree.remove(SortedEntry(key: removed.value, id: id))
  }

  package mutating func merge(
    _ theirs: Self, base: Self, exists: (Entity.EntityID) -> Bool
  ) {
    for difference in theirs.times.differences(from: base.times) {
      switch difference {
      case .inserted(let entry), .updated(_, let entry):
        let mine = receivedAt(entry.key)
        let isMineUnchanged = mine == base.receivedAt(entry.key)
        guard exists(entry.key), isMineUnchanged || mine.map({ $0 < entry.value }) ?? true
        else { continue }
        receive(entry.key, at: entry.value)
      case .removed(let entry):
        if receivedAt(entry.key) == entry.value { forget(entry.key) }
      }
    }
  }

  package func oldestFirst() -> AnyIterator<SortedEntry<Date, Entity.EntityID>> {
    AnyIterator(tree.makeIterator())
  }
}

extension Indexes.Age: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes an array of IDs, each followed by its time, oldest first.
  /// - Throws: The error that encoding an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entry in tree {
      try container.encode(entry.id)
      try container.encode(entry.key)
    }
  }
}

extension Indexes.Age: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of IDs, each followed by its time.
  /// - Throws: The error that decoding an ID or a time throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let id = try container.decode(Entity.EntityID.self)
      receive(id, at: try container.decode(Date.self))
    }
  }
}
