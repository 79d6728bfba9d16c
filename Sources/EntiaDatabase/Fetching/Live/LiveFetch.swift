/// The result of a fetch, kept current from change sets instead of being fetched again.
///
/// A value like the database it belongs to. Only changed rows that match or matched are looked for
/// in the result. Where there is a limit, some rows behind it are kept, so that a row that goes is
/// followed by the next without a fetch.
package struct LiveFetch<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  /// What a step took, counted.
  package struct Work: Equatable, Sendable {
    /// How many rows the predicate was asked about.
    package var rowsExamined = 0
    /// How many times two rows were compared.
    package var comparisons = 0
    /// How many times everything was fetched anew.
    package var fetches = 0

    package init() {}

    package mutating func add(_ other: Work) {
      rowsExamined += other.rowsExamined
      comparisons += other.comparisons
      fetches += other.fetches
    }
  }

  /// How a result compares with the one before.
  package enum Outcome: Sendable {
    /// Surely equal.
    case same
    /// Surely another.
    case different
    /// To be compared.
    case uncertain
  }

  let query: LiveFetchQuery<Entity>
  /// The version that the result belongs to.
  package private(set) var storage: Storage
  /// The first of the rows that match, in the order of the fetch; all of them where `isComplete`.
  private(set) var rows: [Entity] = []
  private(set) var isComplete = true
  /// Where the result differs from the one before the last step; `nil` where that is not known.
  package private(set) var step: LiveFetchStep?
  /// Whether rows that have the same value may lie elsewhere than the result says.
  private var isOrderUncertain = false

  /// Fetches once.
  package init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage) {
    self.query = LiveFetchQuery(descriptor)
    self.storage = storage
    fetch()
  }

  /// The entities that a fetch of this version would give.
  package var entities: [Entity] {
    // A whole array is given without a copy.
    range == rows.indices ? rows : Array(rows[range])
  }

  /// How many entities a fetch of this version would give.
  package var count: Int { range.count }

  private var range: Range<Int> {
    let start = min(query.offset, rows.count)
    let length = query.descriptor.fetchLimit.map { max(0, $0) } ?? .max
    return start..<start + min(length, rows.count - start)
  }

  /// Brings the result to another version.
  /// - Parameters:
  ///   - storage: the version.
  ///   - changes: what changed, when it is known, and since which version.
  /// - Returns: how the result compares with the one before.
  package mutating func advance(
    to storage: Storage, changes known: (since: Storage, set: StorageChangeSet<Storage>)? = nil,
    work: inout Work
  ) -> Outcome {
    let old = self.storage
    self.storage = storage
    step = nil
    if old.snapshot.isIdentical(to: storage.snapshot) { return .same }
    guard query.isIncremental else {
      work.fetches += 1
      fetch()
      return .uncertain
    }
    guard let table = storage.snapshot.table(of: Entity.self) else { return .same }
    var edit = LiveFetchEdit(
      query: query, table: table, from: old, to: storage)
    let isOrdered = query.order?.tie == nil
    if query.descriptor.related.isEmpty, let known,
      let then = known.since.snapshot.table(of: Entity.self),
      old.snapshot.table(of: Entity.self)?.isIdentical(to: then) == true
    {
      edit.collect(known.set.changes(of: Entity.self), affected: [], isOrdered: isOrdered)
    } else {
      let isKnown = known?.since.snapshot.isIdentical(to: old.snapshot) == true
      let changes = isKnown ? known?.set ?? StorageChangeSet() : storage.changes(since: old)
      edit.collect(
        changes.changes(of: Entity.self),
        affected: query.descriptor.affectedIDs(by: changes.tables, from: old, to: storage),
        isOrdered: isOrdered)
    }
    return apply(edit, &work)
  }

  private mutating func apply(_ edit: LiveFetchEdit<Entity>, _ work: inout Work) -> Outcome {
    var edit = edit
    work.rowsExamined += edit.rowsExamined
    let isOrderUncertain = isOrderUncertain
    if edit.isEmpty, !isOrderUncertain, !edit.isScattered { return .same }
    let left = edit.isScattered ? [] : edit.remove(from: &rows, isComplete: isComplete)
    self.isOrderUncertain = false
    if edit.isScattered || isOrderUncertain && !edit.areInOrder(rows) {
      work.comparisons += edit.comparisons
      work.fetches += 1
      fetch()
      return .uncertain
    }
    if edit.isEmpty { return .same }
    let came = edit.insert(into: &rows, isComplete: isComplete)
    if query.wanted == nil, query.offset == 0 { step = LiveFetchStep(left: left, came: came) }
    work.comparisons += edit.comparisons
    if !isComplete, let wanted = query.wanted, rows.count < wanted {
      work.fetches += 1
      fetch()
    } else if let kept = query.kept, rows.count > 2 * kept {
      rows.removeLast(rows.count - kept)
      isComplete = false
    }
    // Where nothing is cut off, a row that came, went or has another value shows.
    return edit.isCertain && range == rows.indices && isComplete ? .different : .uncertain
  }

  /// Takes the result to be that of another version too, in which no row that it concerns has another
  /// value.
  ///
  /// Where the rows' places say in which order they come, it is made sure with the next step that they
  /// still do.
  package mutating func assumeUnchanged(in storage: Storage) {
    if storage.snapshot.isIdentical(to: self.storage.snapshot) { return }
    self.storage = storage
    if query.order?.tie == nil { isOrderUncertain = true }
  }

  private mutating func fetch() {
    var descriptor = query.descriptor
    guard query.isIncremental else {
      rows = storage.fetch(query.descriptor)
      return
    }
    descriptor.fetchOffset = nil
    descriptor.fetchLimit = query.kept
    rows = storage.fetch(descriptor)
    isComplete = query.kept.map { rows.count < $0 } ?? true
  }
}
