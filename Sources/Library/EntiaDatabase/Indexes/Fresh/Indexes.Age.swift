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
  /// and updates do not, because a user's edit does not make a row fresh. The times come from the
  /// caller, never from a clock.
  ///
  /// As a part of the database's value, the index is copied, undone, merged and encoded with it.
  /// But `==` ignores the index, and change sets do not contain it, because receiving the same rows
  /// again does not change the database.
  public struct Age<Entity: EntityType>: Sendable where Entity.EntityIDRawType: Comparable {
    @usableFromInline package var times = AgeTable<Entity.EntityID>()

    /// Creates an index without times.
    @inlinable
    public init() {}

    /// The number of rows with a time.
    /// - Complexity: O(1).
    @inlinable
    package var count: Int { times.count }

    /// Whether no row has a time.
    /// - Complexity: O(1).
    @inlinable
    package var isEmpty: Bool { times.isEmpty }

    /// Returns the time at which a row was last received, or `nil` when it is not known.
    /// - Complexity: O(log *n*) expected.
    @inlinable
    public func receivedAt(_ id: Entity.EntityID) -> Date? { times.time(of: id) }

    /// Whether a row was received less than a duration ago. A row of unknown age is not fresh. A
    /// time in the future counts as now.
    /// - Parameters:
    ///   - id: The ID of the row.
    ///   - duration: The duration.
    ///   - now: The current time.
    /// - Complexity: O(log *n*) expected.
    public func isFresh(_ id: Entity.EntityID, within duration: Duration, at now: Date) -> Bool {
      receivedAt(id).map {
        EntiaDatabase.isFresh(receivedAt: $0, within: duration, at: now)
      } ?? false
    }

    /// Returns the IDs of the rows that were received before a time, oldest first. Rows with the
    /// same time are in the order of their IDs.
    /// - Complexity: O(log *n*), and O(1) for each ID that is visited.
    @inlinable
    public func ids(
      receivedBefore time: Date
    ) -> some BidirectionalCollection<Entity.EntityID> & Sendable {
      AgedIDs<Entity>(times, to: .excluding(time))
    }

    /// Returns the IDs of all rows with a time, oldest first.
    /// - Complexity: O(1), and O(1) for each ID that is visited.
    @inlinable
    public func ids() -> some BidirectionalCollection<Entity.EntityID> & Sendable {
      AgedIDs<Entity>(times, to: .unbounded)
    }
  }
}

extension Indexes.Age: AgeIndex {
  package var entries: AgeTable<Entity.EntityID> { times }

  package init(entries: some Sequence<KeyValueEntry<Entity.EntityID, Date>>) {
    self.init()
    // Adjacent entries often have the same time. Setting their times together is faster.
    var ids: [Entity.EntityID] = []
    var time: Date?
    for entry in entries {
      if let time, time != entry.value {
        times.set(ids, to: time)
        ids.removeAll(keepingCapacity: true)
      }
      time = entry.value
      ids.append(entry.key)
    }
    if let time { times.set(ids, to: time) }
  }

  /// Removes the time of a removed row. An update of a row keeps its time.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { rowRemoved(old.entityID) }
  }

  @inlinable
  package mutating func rowRemoved(_ id: Entity.EntityID) { times.remove(id) }

  /// Removes the times of the rows that are not visited.
  /// - Complexity: O(*n*).
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    if isEmpty { return }
    var missing = Swift.Set(times.map { $0.key })
    visitRows { missing.remove($0.entityID) }
    for id in missing { rowRemoved(id) }
  }

  /// Returns a mismatch for each ID that has no row, and for each ID whose time is out of order.
  /// - Complexity: O(*n* log *n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    let missing = times.filter { rebuilt.times.time(of: $0.key) == nil }
    return (times.misplaced + missing).map {
      IndexMismatch(entity: EntityLabel($0.key), key: "\($0.value)")
    }
  }

  @inlinable
  package func isIdentical(to other: Self) -> Bool { times.isIdentical(to: other.times) }

  /// Records that rows were received at a time.
  /// - Complexity: O(*k* · log *n*) in the number of IDs.
  @inlinable
  public mutating func rowsReceived(_ ids: some Sequence<Entity.EntityID>, at time: Date) {
    times.set(ids, to: time)
  }

  package mutating func merge(
    _ theirs: Self, base: Self, evictions: [(evicted: Self, other: Self)],
    exists: (Entity.EntityID) -> Bool
  ) {
    for difference in theirs.times.differences(from: base.times) {
      let mine = receivedAt(difference.id)
      if let time = difference.new {
        let isMineUnchanged = mine == base.receivedAt(difference.id)
        guard exists(difference.id), isMineUnchanged || mine.map({ $0 < time }) ?? true
        else { continue }
        times.set(CollectionOfOne(difference.id), to: time)
      } else if mine == difference.old {
        times.remove(difference.id)
      }
    }
  }

  package func oldestFirst() -> AnyIterator<SortedEntry<Date, Entity.EntityID>> {
    var entries = times.makeIterator()
    return AnyIterator { entries.next().map { SortedEntry(key: $0.value, id: $0.key) } }
  }
}

extension Indexes.Age: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes an array of IDs, each followed by its time, oldest first.
  /// - Throws: The error that encoding an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entry in times {
      try container.encode(entry.key)
      try container.encode(entry.value)
    }
  }
}

extension Indexes.Age: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of IDs, each followed by its time.
  /// - Throws: The error that decoding an ID or a time throws.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var entries: [KeyValueEntry<Entity.EntityID, Date>] = []
    while !container.isAtEnd {
      let id = try container.decode(Entity.EntityID.self)
      entries.append(KeyValueEntry(key: id, value: try container.decode(Date.self)))
    }
    self.init(entries: entries)
  }
}

/// The IDs of received rows, oldest first. IDs with the same time are in ascending order.
///
/// A view of one version of the index, created in logarithmic time.
@frozen
@usableFromInline
struct AgedIDs<Entity: EntityType>: Sendable where Entity.EntityIDRawType: Comparable {
  @usableFromInline let table: AgeTable<Entity.EntityID>
  /// The number of runs whose IDs belong to the view. They are the first runs of the table.
  @usableFromInline let runCount: Int

  @inlinable
  init(_ table: AgeTable<Entity.EntityID>, to end: SortedBound<Date>) {
    self.table = table
    runCount = table.runs.ranks(from: .unbounded, to: end).upperBound
  }
}

extension AgedIDs: BidirectionalCollection {
  /// The position of a run, and the offset of an ID in the run.
  @frozen
  @usableFromInline
  struct Index: Comparable {
    @usableFromInline var run: Int
    @usableFromInline var offset: Int

    @inlinable
    init(run: Int, offset: Int) { (self.run, self.offset) = (run, offset) }

    @inlinable
    static func < (a: Self, b: Self) -> Bool { (a.run, a.offset) < (b.run, b.offset) }
  }

  @inlinable
  var startIndex: Index { Index(run: 0, offset: 0) }

  @inlinable
  var endIndex: Index { Index(run: runCount, offset: 0) }

  @inlinable
  subscript(position: Index) -> Entity.EntityID {
    precondition(position.run < runCount, "the index is out of bounds")
    return table.runs[position.run][position.offset]
  }

  @inlinable
  func index(after position: Index) -> Index {
    position.offset &+ 1 < table.runs[position.run].count
      ? Index(run: position.run, offset: position.offset &+ 1)
      : Index(run: position.run &+ 1, offset: 0)
  }

  @inlinable
  func index(before position: Index) -> Index {
    position.offset > 0
      ? Index(run: position.run, offset: position.offset &- 1)
      : Index(run: position.run &- 1, offset: table.runs[position.run &- 1].count &- 1)
  }

  /// The number of IDs.
  /// - Complexity: O(1) for all IDs of an index, otherwise O(*k*) in the number of runs.
  @inlinable
  var count: Int {
    if runCount == table.runs.count { return table.count }
    var count = 0
    for run in table.runs[0..<runCount] { count &+= run.count }
    return count
  }

  @inlinable
  var underestimatedCount: Int { count }

  @inlinable
  func makeIterator() -> Iterator {
    Iterator(entries: AgeTable.Iterator(table.runs[0..<runCount].makeIterator()))
  }

  @frozen
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline var entries: AgeTable<Entity.EntityID>.Iterator

    @inlinable
    init(entries: AgeTable<Entity.EntityID>.Iterator) { self.entries = entries }

    @inlinable
    mutating func next() -> Entity.EntityID? { entries.next()?.key }
  }
}
