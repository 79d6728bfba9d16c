import EntiaDatabase
import EntiaStore

/// A shared database as one client sees it: a version that the log has confirmed, and the local
/// batches that wait on top of it.
///
/// A value without locks: only the worker of a sharing changes it. Every change leads from one
/// consistent state to another, and the caller then shows `local` in the store.
struct OptimisticPart<Storage: NormalizedStorageType>: Sendable {
  /// A waiting batch on top of the confirmed version, as it is pushed.
  struct Candidate: Sendable {
    let number: Int64
    /// The version that the changes start from.
    let base: LogPosition
    /// The changes of the encoded rows. What is not encoded is not shared.
    let changes: StorageChangeSet<Storage>
    /// The database after the batch.
    fileprivate let storage: Storage
    /// Whether the later batches fit as they are, because the batch needed no merge.
    fileprivate let isUnchanged: Bool
  }

  /// The number of waiting batches up to which each is rebased, so that it can be pushed as it is.
  static var individualLimit: Int { 8 }

  private(set) var confirmed: SharedVersion<Storage>
  /// The confirmed version with all waiting batches.
  private(set) var local: Storage
  private(set) var waiting = FIFOQueue<LocalBatch<Storage>>()
  private(set) var work = RebaseWork()
  /// The number of the last batch that was appended.
  private(set) var lastNumber: Int64
  /// Whether `local` has batches that were removed from `waiting`: the next confirmed version has
  /// them.
  private var hasForgotten = false
  private let merge: ThreeWayMerge<Storage>

  /// Creates a part without waiting batches.
  /// - Parameters:
  ///   - confirmed: The version that was loaded.
  ///   - merge: The resolution of conflicts, where *mine* is the local batch.
  ///   - lastNumber: The number of the last batch of the client.
  init(
    _ confirmed: SharedVersion<Storage>, merge: ThreeWayMerge<Storage>, lastNumber: Int64 = 0
  ) {
    self.confirmed = confirmed
    local = confirmed.storage
    self.merge = merge.reversed
    self.lastNumber = lastNumber
  }

  /// The number of the last batch before which no batch waits.
  var finishedNumber: Int64 { (waiting.first?.number).map { $0 - 1 } ?? lastNumber }

  /// Returns the waiting batches with greater numbers, in order.
  /// - Complexity: O(batches that are returned).
  func waiting(after number: Int64) -> [LocalBatch<Storage>] {
    var batches: [LocalBatch<Storage>] = []
    var position = waiting.firstPosition + waiting.count - 1
    while position >= waiting.firstPosition, let batch = waiting[position], batch.number > number {
      batches.append(batch)
      position -= 1
    }
    return batches.reversed()
  }

  /// Appends local batches, in commit order.
  /// - Returns: The batches that do not fit on the local version, which differs from their own only
  ///   if it was rebased meanwhile.
  mutating func append(_ batches: [LocalBatch<Storage>]) -> [RejectedBatch<Storage>] {
    var rejected: [RejectedBatch<Storage>] = []
    for batch in batches {
      lastNumber = batch.number
      rejected += append(batch)
    }
    return rejected
  }

  /// Notes that no batch up to a number waits but those that do.
  mutating func skip(_ number: Int64) { lastNumber = max(lastNumber, number) }

  /// Returns the first waiting batch on top of the confirmed version, or `nil` when none waits.
  /// - Throws: The error that a local batch would have had. The batch then has to be rejected.
  mutating func candidate() throws -> Candidate? {
    guard let batch = waiting.first else { return nil }
    let (storage, isUnchanged) = try rebase(batch, onto: confirmed.storage)
    return Candidate(
      number: batch.number, base: confirmed.position,
      changes: storage.changes(since: confirmed.storage)
        .keepingTransientMembers(of: confirmed.storage), storage: storage,
      isUnchanged: isUnchanged)
  }

  /// Removes the first waiting batch, which the log contains now.
  /// - Parameters:
  ///   - candidate: The batch as it was pushed.
  ///   - position: The version that it led to.
  /// - Returns: The later batches that do not fit any more.
  mutating func confirm(
    _ candidate: Candidate, as position: LogPosition
  ) -> [RejectedBatch<Storage>] {
    _ = waiting.popFirst()
    confirmed = SharedVersion(storage: candidate.storage, position: position)
    if !candidate.isUnchanged { return replay() }
    if waiting.isEmpty { local = confirmed.storage }
    return []
  }

  /// Removes the waiting batches up to a number, which the log contains as unknown versions. The
  /// part has to advance to one of them or a later one.
  mutating func forget(through number: Int64) {
    while let first = waiting.first, first.number <= number {
      _ = waiting.popFirst()
      hasForgotten = true
    }
  }

  /// Removes the first waiting batch and its effects.
  /// - Returns: The batch, and the later ones that do not fit without it.
  mutating func reject(_ error: any Error) -> [RejectedBatch<Storage>] {
    guard let batch = waiting.popFirst() else { return [] }
    return [RejectedBatch(batch: batch, error: error)] + replay()
  }

  /// Moves the waiting batches to a later version of the log.
  /// - Returns: The batches that do not fit any more.
  /// - Complexity: O(changes · log *n*) in the changes of all batches between both versions and of
  ///   the waiting ones. Many waiting batches are rebased as one, unless some do not fit.
  mutating func advance(to version: SharedVersion<Storage>) -> [RejectedBatch<Storage>] {
    let base = confirmed.storage
    confirmed = version
    // The forgotten batches are no changes of the waiting ones.
    if waiting.count > Self.individualLimit, !hasForgotten {
      work.compositions += 1
      do {
        local = try version.storage.merging(local, base: base, by: merge).storage
        return []
      } catch {
        // Batches that do not fit as one may fit one by one. A replay finds those that do not.
      }
    }
    return replay()
  }

  /// Rebases all waiting batches one by one.
  /// - Returns: The batches that do not fit any more.
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
      return [RejectedBatch(batch: batch, error: error)]
    }
  }

  /// Returns a version with the changes of a batch, and whether they apply without a merge.
  /// - Throws: The error that a local batch would have had.
  private mutating func rebase(
    _ batch: LocalBatch<Storage>, onto version: Storage
  ) throws -> (storage: Storage, isUnchanged: Bool) {
    if version.snapshot.isIdentical(to: batch.old.snapshot) { return (batch.new, true) }
    work.batches += 1
    var result = version
    do {
      try result.apply(batch.new.changes(since: batch.old))
      return (result, true)
    } catch is ChangeSetError {
      let merged = try version.merging(batch.new, base: batch.old, by: merge)
      return (merged.storage, false)
    }
  }
}

/// The work that rebases have cost, for tests that count it.
struct RebaseWork: Equatable, Sendable {
  /// The number of batches that were applied or merged one by one.
  var batches = 0
  /// The number of merges of all waiting batches at once.
  var compositions = 0
}
