import EntiaDatabase
import EntiaStore

/// A shared database in one client: a version that the log has confirmed, and the waiting local
/// batches on top of it.
///
/// The value has no locks, because only the worker of a sharing changes it. It is consistent after
/// every change. The caller then publishes `local` in the store.
struct OptimisticPart<Storage: NormalizedStorageType>: Sendable {
  /// A waiting batch, rebased onto the confirmed version in order to be pushed.
  struct Candidate: Sendable {
    let number: Int64
    let base: LogPosition
    /// The changes of the encoded rows, without transient members, which are not shared.
    let changes: StorageChangeSet<Storage>
    let old: Storage
    let storage: Storage
    /// Whether the batch was applied without a merge. The later batches then need no rebase.
    fileprivate let isUnchanged: Bool
  }

  /// The maximum number of waiting batches that `advance(to:)` rebases one by one. If more batches
  /// are waiting, `advance(to:)` merges all of them in one step. After that, each batch must be
  /// rebased before it can be pushed.
  static var individualLimit: Int { 8 }

  private(set) var confirmed: SharedVersion<Storage>
  /// The confirmed version with all waiting batches.
  private(set) var local: Storage
  private(set) var waiting = FIFOQueue<LocalBatch<Storage>>()
  private(set) var work = RebaseWork()
  /// The entity types that were inspected for transient members.
  var transientTypes = TransientTypes()
  /// The number of the last batch that was appended.
  private(set) var lastNumber: Int64
  /// Whether `local` contains batches that were removed from `waiting` because the log contains
  /// them. The next confirmed version contains them too.
  private var hasForgotten = false
  /// The rows that rejected batches inserted. They are kept while a batch that needs such a row may
  /// still be appended.
  private(set) var withdrawn = WithdrawnRows<Storage>()
  private let merge: ThreeWayMerge<Storage>

  /// Creates a part without waiting batches.
  /// - Parameters:
  ///   - confirmed: The loaded version.
  ///   - merge: The resolution of conflicts; *mine* is the local batch.
  ///   - lastNumber: The number of the client's last batch.
  init(
    _ confirmed: SharedVersion<Storage>, merge: ThreeWayMerge<Storage>, lastNumber: Int64 = 0
  ) {
    self.confirmed = confirmed
    local = confirmed.storage
    self.merge = merge.reversed
    self.lastNumber = lastNumber
  }

  /// The greatest number up to which no batch is waiting.
  var finishedNumber: Int64 { (waiting.first?.number).map { $0 - 1 } ?? lastNumber }

  /// Returns the waiting batches with numbers greater than `number`, in order.
  /// - Complexity: O(*k*), where *k* is the number of returned batches.
  func waiting(after number: Int64) -> [LocalBatch<Storage>] {
    waiting.positions.reversed().lazy.compactMap { waiting[$0] }.prefix { $0.number > number }
      .reversed()
  }

  /// Appends local batches, in commit order.
  /// - Returns: The batches that cannot be applied to the local version. This happens only if the
  ///   local version was rebased after the batch was committed.
  mutating func append(_ batches: [LocalBatch<Storage>]) -> [RejectedBatch<Storage>] {
    var rejected: [RejectedBatch<Storage>] = []
    for batch in batches {
      lastNumber = batch.number
      rejected += append(batch)
    }
    return rejected
  }

  /// Marks the numbers up to `number` as used, even if no batches with these numbers were appended.
  mutating func skip(_ number: Int64) { lastNumber = max(lastNumber, number) }

  /// Records that the changes of a batch were rejected. A later batch that needs rows of the
  /// rejected batch is then rejected, too.
  mutating func withdraw(_ changes: StorageChangeSet<Storage>) { withdrawn.add(changes) }

  /// Forgets the rows that rejected batches inserted. The caller publishes `local`, so every later
  /// batch starts from `local`, which does not have these rows.
  mutating func forgetWithdrawn() { withdrawn = WithdrawnRows() }

  /// Returns the first waiting batch, rebased onto the confirmed version, or `nil` if no batch is
  /// waiting.
  /// - Throws: The error of applying or merging the batch. The caller must then reject the batch.
  mutating func candidate() throws -> Candidate? {
    guard let batch = waiting.first else { return nil }
    let (storage, isUnchanged) = try rebase(batch, onto: confirmed.storage)
    return Candidate(
      number: batch.number, base: confirmed.position,
      changes: storage.changes(since: confirmed.storage)
        .keepingTransientMembers(of: confirmed.storage, types: &transientTypes),
      old: confirmed.storage, storage: storage,
      isUnchanged: isUnchanged)
  }

  /// Removes the first waiting batch after it was committed to the log.
  /// - Parameters:
  ///   - candidate: The pushed batch.
  ///   - position: The version after the batch.
  /// - Returns: The later batches that can no longer be applied.
  mutating func confirm(
    _ candidate: Candidate, as position: LogPosition
  ) -> [RejectedBatch<Storage>] {
    _ = waiting.popFirst()
    confirmed = SharedVersion(storage: candidate.storage, position: position)
    if !candidate.isUnchanged { return replay() }
    if waiting.isEmpty { local = confirmed.storage }
    return []
  }

  /// Removes the waiting batches up to a number. The log contains them, but at unknown versions.
  /// The caller must then advance to a version that contains all of them.
  mutating func forget(through number: Int64) {
    while let first = waiting.first, first.number <= number {
      _ = waiting.popFirst()
      hasForgotten = true
    }
  }

  /// Removes the first waiting batch and its effects.
  /// - Returns: The batch, and the later batches that cannot be applied without it.
  mutating func reject(_ error: any Error) -> [RejectedBatch<Storage>] {
    guard let batch = waiting.popFirst() else { return [] }
    withdraw(batch.new.changes(since: batch.old))
    return [RejectedBatch(batch: batch, error: error)] + replay()
  }

  /// Rebases the waiting batches onto a later version of the log.
  /// - Returns: The batches that can no longer be applied.
  /// - Complexity: O(changes · log *n*), where the changes are those of the waiting batches and of
  ///   the batches between the versions. Many waiting batches are rebased in one step if all of
  ///   them can be applied.
  mutating func advance(to version: SharedVersion<Storage>) -> [RejectedBatch<Storage>] {
    let base = confirmed.storage
    confirmed = version
    // After `forget(through:)`, `local` contains the forgotten batches. A merge would treat their
    // changes as changes of the waiting batches.
    if waiting.count > Self.individualLimit, !hasForgotten,
      local.changes(since: base)
        .withoutTransientConflicts(in: version.storage, types: &transientTypes) == nil
    {
      work.compositions += 1
      do {
        local = try version.storage.merging(local, base: base, by: merge).storage
        return []
      } catch {
        // The batches cannot be merged together. `replay()` rejects only the batches that cannot
        // be applied one by one.
      }
    }
    return replay()
  }

  /// Returns the local version with the ages and answers that `committed` has for rows of the local
  /// version. Reverts the changes that rejected batches made to ages and answers, from the latest
  /// batch to the earliest.
  func local(
    withReceptionsOf committed: Storage, takingBack rejected: [RejectedBatch<Storage>]
  ) -> Storage {
    var local = local
    local.mergeFreshness(of: committed, since: self.local)
    for received in rejected.reversed().compactMap(\.batch.received) {
      local.mergeFreshness(of: received.old, since: received.new)
    }
    return local
  }

  /// Rebases all waiting batches one by one.
  /// - Returns: The batches that can no longer be applied.
  mutating func replay() -> [RejectedBatch<Storage>] {
    var batches: [LocalBatch<Storage>] = []
    batches.reserveCapacity(waiting.count)
    hasForgotten = false
    while let batch = waiting.popFirst() { batches.append(batch) }
    local = confirmed.storage
    return batches.flatMap { append($0) }
  }

  private mutating func append(_ batch: LocalBatch<Storage>) -> [RejectedBatch<Storage>] {
    do {
      let (storage, _) = try rebase(batch, onto: local)
      var rebased = batch
      rebased.old = local
      rebased.new = storage
      waiting.append(rebased)
      local = storage
      return []
    } catch {
      withdraw(batch.new.changes(since: batch.old))
      return [RejectedBatch(batch: batch, error: error)]
    }
  }

  /// Returns `storage`, the version with the changes of a batch. `isUnchanged` is whether the
  /// changes apply without a merge.
  /// - Throws: The error of applying or merging the batch; `ChangeSetError` if the batch needs a
  ///   row of a rejected batch.
  private mutating func rebase(
    _ batch: LocalBatch<Storage>, onto version: Storage
  ) throws -> (storage: Storage, isUnchanged: Bool) {
    if version.snapshot.isIdentical(to: batch.old.snapshot) { return (batch.new, true) }
    work.batches += 1
    let changes = batch.new.changes(since: batch.old)
    var result = version
    do {
      try withdrawn.check(changes, on: version)
      try result.apply(changes)
      return (result, true)
    } catch is ChangeSetError {
      var mine = batch.new
      // Transient members are not shared, so that a write of one is no conflict.
      if let shared = changes.withoutTransientConflicts(in: version, types: &transientTypes) {
        try withdrawn.check(shared, on: version)
        do {
          try result.apply(shared)
          return (result, false)
        } catch is ChangeSetError {
          mine = batch.old
          do { try mine.apply(shared) } catch is ChangeSetError { mine = batch.new }
        }
      } else {
        try withdrawn.check(changes, on: version)
      }
      var merge = merge
      merge.withdrawn = withdrawn
      let merged = try version.merging(mine, base: batch.old, by: merge)
      return (merged.storage, false)
    }
  }
}

/// The work of rebasing, counted for tests.
struct RebaseWork: Equatable, Sendable {
  /// The number of batches that were applied or merged one by one.
  var batches = 0
  /// The number of attempts to merge all waiting batches in one step.
  var compositions = 0
}
