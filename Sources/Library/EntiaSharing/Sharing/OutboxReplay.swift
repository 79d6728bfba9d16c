public import EntiaDatabase
import EntiaStore

/// Rebases the batches of an earlier process onto a version that this process has loaded.
struct OutboxReplay<Storage: NormalizedStorageType> {
  /// The loaded version, and the batches that the log does not contain.
  private(set) var part: OptimisticPart<Storage>
  private(set) var rejected: [RejectedBatch<Storage>] = []

  /// Rebases each batch step by step from its own base version to the loaded version, as the
  /// earlier process would have done.
  ///
  /// The result is `nil` if the batches in the log cannot be applied, because a client with another
  /// schema wrote them. It is also `nil` if the space was restored from a backup, and the log
  /// therefore has another batch at the base version of a stored batch.
  /// - Parameters:
  ///   - stored: The batches of the outbox, by ascending numbers.
  ///   - logged: The batches in the log, from the base version of the first stored batch to the
  ///     loaded version. Some may be stored batches.
  ///   - loaded: The loaded version.
  ///   - merge: The resolution of conflicts.
  init?(
    _ stored: [OutboxBatch<Storage>], through logged: [LoggedBatch<Storage>],
    to loaded: SharedVersion<Storage>, merge: ThreeWayMerge<Storage>
  ) {
    guard let first = stored.first, Self.isConnected(stored, logged) else { return nil }
    var storage = loaded.storage
    do {
      for batch in logged.reversed() { try storage.apply(batch.changes.inverted) }
    } catch {
      return nil
    }
    var cursor = SharedVersion(storage: storage, position: first.base)
    part = OptimisticPart(cursor, merge: merge, lastNumber: first.number - 1)
    var pending = stored[...]
    let origins = RestoredOrigins(stored)
    var last: Int64 = 0
    for batch in logged {
      while let next = pending.first, next.base.version < batch.version {
        move(to: cursor)
        append(next)
        pending.removeFirst()
      }
      do {
        try storage.apply(batch.changes)
      } catch {
        return nil
      }
      cursor = SharedVersion(storage: storage, position: batch.position)
      let number = origins.lastNumber(in: batch)
      if number > last {
        last = number
        part.forget(through: last)
        move(to: cursor)
      }
    }
    move(to: cursor)
    for next in pending { append(next) }
    // A stored batch that is in `logged` was committed. It is therefore not reported as rejected,
    // even if the replay rejected it at an earlier version.
    rejected.removeAll { $0.batch.number <= last }
    rebaseOthers()
  }

  /// Returns whether the log still contains the base version of each stored batch. A restored log
  /// may have a different batch with the number of a base version. A base version is not checked if
  /// its origin is unknown or its batch is not in `logged`.
  private static func isConnected(
    _ stored: [OutboxBatch<Storage>], _ logged: [LoggedBatch<Storage>]
  ) -> Bool {
    guard let first = logged.first?.version else { return true }
    return stored.allSatisfy { batch in
      let index = Int(batch.base.version - first)
      return batch.base.origin == nil || !logged.indices.contains(index)
        || logged[index].position == batch.base
    }
  }

  /// Applies the stored batches directly to a loaded version, and rejects batches that conflict
  /// with this version. Use this initializer if the log no longer has all batches between the base
  /// versions and the loaded version, or if one of these batches cannot be applied.
  init(
    _ stored: [OutboxBatch<Storage>], onto loaded: SharedVersion<Storage>,
    merge: ThreeWayMerge<Storage>
  ) {
    part = OptimisticPart(loaded, merge: merge, lastNumber: (stored.first?.number ?? 1) - 1)
    for next in stored { append(next) }
    rebaseOthers()
  }

  /// Rebases each remaining batch onto the loaded version if a batch was rejected. The caller then
  /// stores the rebased batches in the outbox.
  private mutating func rebaseOthers() {
    if !rejected.isEmpty { rejected += part.replay() }
  }

  private mutating func move(to version: SharedVersion<Storage>) {
    if version.version > part.confirmed.version { rejected += part.advance(to: version) }
  }

  private mutating func append(_ batch: OutboxBatch<Storage>) {
    var new = part.local
    var failure: (any Error)?
    do {
      try part.withdrawn.check(batch.changes, on: part.local)
      try new.apply(batch.changes)
    } catch {
      failure = error
    }
    let local = LocalBatch(number: batch.number, name: batch.name, old: part.local, new: new)
    if let failure {
      part.skip(batch.number)
      part.withdraw(batch.changes)
      rejected.append(RejectedBatch(batch: local, error: failure, changes: batch.changes))
    } else {
      rejected += part.append([local])
    }
  }
}

/// The clients that made the batches of an outbox. Each process that used the outbox was a separate
/// client, and pushed its batches in the order of their numbers.
struct RestoredOrigins: Sendable {
  let clients: [ClientID]
  private let clientsByNumber: [Int64: ClientID]
  /// The numbers of the batches of each client, in ascending order.
  private let numbers: [ClientID: [Int64]]

  init<Storage>(_ batches: [OutboxBatch<Storage>]) {
    var clients: [ClientID] = []
    var numbers: [ClientID: [Int64]] = [:]
    for batch in batches {
      if numbers[batch.client] == nil { clients.append(batch.client) }
      numbers[batch.client, default: []].append(batch.number)
    }
    (self.clients, self.numbers) = (clients, numbers)
    clientsByNumber = Dictionary(
      batches.map { ($0.number, $0.client) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the client of a batch, or `nil` if the outbox had no batch with the number.
  func client(of number: Int64) -> ClientID? { clientsByNumber[number] }

  /// Returns the greatest number up to `mutation` among the batches of a client, or 0 if there is
  /// none. If the log contains `mutation`, all batches up to the returned number are finished,
  /// because the client pushed its batches in ascending order.
  private func lastNumber(of client: ClientID, through mutation: Int64) -> Int64 {
    numbers[client]?.last { $0 <= mutation } ?? 0
  }

  /// Returns the number of the last batch in the outbox that is finished if the log contains
  /// `batch`; 0 if there is none. A finished batch was confirmed or rejected.
  func lastNumber<Storage>(in batch: LoggedBatch<Storage>) -> Int64 {
    if clients.isEmpty { return 0 }
    return batch.origins.reduce(0) { max($0, lastNumber(of: $1.client, through: $1.mutation)) }
  }

  /// Returns the number of the last batch in the outbox that is finished according to the log; 0 if
  /// there is none. A batch is finished if the log contains the batch or a later batch of the same
  /// client, because each client pushes its batches in order.
  /// - Throws: `SharedDatabaseError`.
  func lastNumber<Storage>(in log: any SharedLog<Storage>) async throws -> Int64 {
    var number: Int64 = 0
    for client in clients {
      number = max(
        number, lastNumber(of: client, through: try await log.lastMutation(of: client)))
    }
    return number
  }
}

/// A local commit that the log has not confirmed.
struct LocalBatch<Storage: NormalizedStorageType>: Sendable {
  /// The number of the commit, and of its mutation in the log.
  let number: Int64
  let name: String?
  /// The database before and after the commit. Both are rebased together.
  var old: Storage
  var new: Storage
  /// The database before and after the commit in the store, if the commit changed ages or answers.
  /// These two databases are not rebased, because ages and answers belong to this process.
  let received: (old: Storage, new: Storage)?

  init(number: Int64, name: String?, old: Storage, new: Storage) {
    (self.number, self.name, self.old, self.new) = (number, name, old, new)
    received = new.hasIdenticalFreshness(old) ? nil : (old, new)
  }

  /// A description of the batch for the app.
  var shared: SharedBatch<Storage> {
    SharedBatch(name: name, changes: new.changes(since: old))
  }
}

/// A local batch that cannot be applied after the batches of other clients, and the reason.
struct RejectedBatch<Storage: NormalizedStorageType>: Sendable {
  let batch: LocalBatch<Storage>
  let error: any Error
  /// The changes of a stored batch that could not be applied; `nil` for other batches.
  var changes: StorageChangeSet<Storage>?

  /// A description of the batch for the app.
  var shared: SharedBatch<Storage> {
    changes.map { SharedBatch(name: batch.name, changes: $0) } ?? batch.shared
  }
}

/// A local commit to a shared part of a state.
public struct SharedBatch<Storage: NormalizedStorageType>: Sendable {
  /// The name of the commit.
  public let name: String?
  /// The changes that the commit made.
  public let changes: StorageChangeSet<Storage>
}

/// The rows of a shared part that waiting batches have written. The store must not evict these
/// rows.
///
/// Such a row differs from the row in the version that the log has confirmed, or was written by a
/// batch of an earlier process.
///
/// The batches of an earlier process are added to the part after the log has been read, which is
/// impossible while the server cannot be reached. Until then, the store has the rows without the
/// edits of these batches. If the store evicted a row with such an edit, a batch would remove the
/// row from the log, and the edit would be lost.
final class UnsentRows<Storage: NormalizedStorageType>: Sendable {
  private struct Contents {
    var confirmed: Storage
    /// The changes of the batches that have not been added to the part.
    var restoring: [StorageChangeSet<Storage>]
    var registration: (any AnyObject & Sendable)?
  }

  private let contents: Mutex<Contents>

  /// Creates the rows that the waiting batches of a part have written.
  /// - Parameters:
  ///   - part: The shared part.
  ///   - confirmed: The version that the log has confirmed.
  ///   - restoring: The batches of an earlier process. The worker adds them to the part before it
  ///     calls `note(confirmed:)`.
  init(
    of part: SharedPart<Storage>, since confirmed: Storage, restoring: [OutboxBatch<Storage>]
  ) {
    contents = Mutex(Contents(confirmed: confirmed, restoring: restoring.map(\.changes)))
    let registration = part.keepUnsentRows { [weak self] in
      self?.contents.withLock { ($0.confirmed, $0.restoring) }
    }
    contents.withLock { $0.registration = registration }
  }

  /// Records the version that the log has confirmed. All batches of an earlier process must have
  /// been added to the part.
  func note(confirmed: Storage) {
    contents.replace { contents in
      contents.confirmed = confirmed
      contents.restoring = []
    }
  }
}
