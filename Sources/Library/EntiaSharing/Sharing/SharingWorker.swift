import EntiaCoding
import EntiaDatabase
import EntiaStore
import Foundation

/// Pushes local batches and applies the batches of other clients, one step after another.
actor SharingWorker<Storage: NormalizedStorageType> {
  private static var pageSize: Int { 4_000 }

  nonisolated let log: any SharedLog<Storage>
  /// The ID of this client, new for each sharing. The log identifies a batch by its client and its
  /// number, and sharings that use copies of the same outbox use equal numbers.
  nonisolated let client = ClientID()
  private(set) var part: OptimisticPart<Storage>
  private let merge: ThreeWayMerge<Storage>
  let outbox: Outbox<Storage>?
  /// The batches of an earlier process that have not been added to the part.
  private(set) var restoring: [OutboxBatch<Storage>]
  private let restored: RestoredOrigins
  /// The number of the last batch of an earlier process. Pushes of that process may still arrive at
  /// the server.
  private let restoredNumber: Int64
  /// The version on which an earlier process may still commit a push; `nil` if there is none.
  private var unfenced: Int64?
  /// The encoded batches that must be stored before the next push.
  var unstored: [(number: Int64, line: JSONValue)] = []
  /// The numbers of the waiting batches that cannot be encoded, in ascending order. These batches
  /// are never stored. Each is rejected when it is pushed.
  var unencodable: [Int64] = []
  /// The number of the last batch that is stored or is in `unstored`.
  var storingNumber: Int64
  let engine: SharingEngine<Storage>
  private let unsent: UnsentRows<Storage>
  private var shown: Storage
  /// The batch of a push whose outcome is unknown. The push is repeated unchanged.
  private var pushed: OptimisticPart<Storage>.Candidate?
  /// The error of the last attempt to record finished batches. The next write records them, too.
  var outboxFailure: SharedDatabaseError?

  init(
    _ log: any SharedLog<Storage>, from loaded: SharedVersion<Storage>,
    merge: ThreeWayMerge<Storage>, _ engine: SharingEngine<Storage>,
    _ unsent: UnsentRows<Storage>
  ) {
    let outbox = engine.outbox
    self.log = log
    self.merge = merge
    self.outbox = outbox
    restoring = outbox?.restored ?? []
    restored = RestoredOrigins(restoring)
    restoredNumber = outbox?.lastNumber ?? 0
    storingNumber = restoredNumber
    part = OptimisticPart(loaded, merge: merge, lastNumber: restoredNumber)
    shown = loaded.storage
    self.engine = engine
    self.unsent = unsent
  }

  /// Returns the client that made the batch with a number: the client of an earlier process, or the
  /// client of this worker.
  func client(of number: Int64) -> ClientID { restored.client(of: number) ?? client }

  /// Pushes and reads batches until no local batch is waiting and `engine` has no hint of new ones.
  /// - Throws: The error of a call on the log.
  func run() async throws {
    if !restoring.isEmpty { try await restore() }
    try storeRecorded()
    var mustRead = engine.takeHint()
    var isBehind = false
    while !engine.isEnded {
      let isRead = mustRead ? try await read() : false
      if engine.isEnded { return }
      if isBehind, !isRead {
        // A standby server has no newer batch yet. The error causes a pause before the next try.
        throw notReadable
      }
      takeRecorded()
      guard let progress = try await pushNext() else {
        isBehind = false
        mustRead = engine.takeHint()
        if mustRead { continue }
        return
      }
      isBehind = progress == .isBehind
      mustRead = isBehind
    }
  }

  func takeRecorded() {
    let recorded = engine.takeRecorded()
    let rejected = part.append(recorded)
    if let last = recorded.last, last.new.snapshot.isIdentical(to: part.local.snapshot) {
      shown = part.local
    }
    show(rejected)
  }

  /// Publishes the local version in the store if it was rebased, and reports rejected batches.
  /// - Parameters:
  ///   - rejections: The rejected batches.
  ///   - isDurable: Whether the record of the progress in the outbox must survive a loss of power.
  ///     Must be `true` if a batch was confirmed without a push.
  private func show(
    _ rejections: [RejectedBatch<Storage>] = [], isDurable: Bool = false
  ) {
    var rejected = rejections
    // An observer of the store may close the sharing.
    let hasReceivers = engine.beginReporting()
    defer { engine.endReporting() }
    let stored = storingNumber
    let absent = Set(unencodable + unstored.map(\.number))
    if !part.local.snapshot.isIdentical(to: shown.snapshot) {
      engine.activePart?.replace("Shared changes") { committed in
        // Appends the remaining recorded batches. No commit can add more before this closure ends.
        rejected += part.append(engine.takeRecorded())
        part.forgetWithdrawn()
        if engine.isEnded { return nil }
        return part.local(withReceptionsOf: committed, takingBack: rejected)
      }
      shown = part.local
    }
    noteNew()
    // After the sharing has ended, there is no receiver of a rejection. An outbox keeps the batch,
    // and the next process reports the rejection.
    guard rejected.isEmpty || hasReceivers else { return }
    // The outbox is written before `noteProgress` calls the rejection handler. If the process ends
    // in the handler, the next process does not restore the rejected batch.
    if rejected.contains(where: { $0.batch.number <= stored }) {
      replaceStored()
    } else {
      outboxFailure = outbox?.finish(
        through: part.finishedNumber, last: part.lastNumber,
        isDurable: isDurable || !rejected.isEmpty)
    }
    unsent.note(confirmed: part.confirmed.storage)
    if case .isClosed = outboxFailure {
      // The outbox was closed before the write, and still has the batches that it had stored.
      rejected.removeAll { $0.batch.number <= stored && !absent.contains($0.batch.number) }
    }
    engine.noteProgress(part, rejected)
  }
}

// Restoring batches of an earlier process.
extension SharingWorker {
  /// Adds the batches of an earlier process to the part.
  /// - Throws: The error of a call on the log.
  private func restore() async throws {
    // The earlier process may have read versions that are newer than the loaded version.
    var target = try await newest(after: part.confirmed) ?? part.confirmed
    var replay = try await replay(onto: target)
    while !replay.rejected.isEmpty, try await !fence(target.position) {
      guard let newer = try await newest(after: target) else { throw notReadable }
      target = newer
      replay = try await self.replay(onto: target)
    }
    unfenced = target.version
    if engine.isEnded { return }
    restoring = []
    part = replay.part
    part.skip(restoredNumber)
    show(replay.rejected)
  }

  private func replay(
    onto target: SharedVersion<Storage>
  ) async throws -> OutboxReplay<Storage> {
    var batches: [LoggedBatch<Storage>] = []
    var position = restoring.first?.base ?? LogPosition(version: 0)
    let isKnown = restoring.allSatisfy { $0.base.version <= target.version }
    while isKnown, position.version < target.version {
      let page = try await page(after: position)
      guard case .batches(let more, _) = page else { break }
      guard let last = more.last else { throw notReadable }
      batches += more.filter { $0.version <= target.version }
      position = last.position
    }
    if isKnown, position.version >= target.version,
      let replay = OutboxReplay(
        restoring, through: batches, to: target, merge: merge)
    {
      return replay
    }
    let last = try await restored.lastNumber(in: log)
    return OutboxReplay(restoring.filter { $0.number > last }, onto: target, merge: merge)
  }

  /// Pushes an empty batch onto `position`. A delayed push of an earlier process onto `position`
  /// then fails. Otherwise, the server could commit a batch after this process has rejected the
  /// batch. No other batch in a log is empty.
  /// - Returns: Whether `position` was the current version of the log.
  private func fence(_ position: LogPosition) async throws -> Bool {
    do {
      let outcome = try await log.push(
        StorageChangeSet(), client: ClientID(), mutation: 1, base: position)
      return outcome == .committed(version: position.version + 1)
    } catch let error as SharedDatabaseError where error.rejectsBatch {
      // The server rejects even an empty batch, so a delayed push fails, too. No fence is needed.
      return true
    }
  }

  /// Returns the newest version of the log; `nil` if it is not newer than a version.
  private func newest(
    after version: SharedVersion<Storage>
  ) async throws -> SharedVersion<Storage>? {
    var newest = version
    while true {
      let page = try await page(after: newest.position)
      guard case .batches(let batches, let current) = page,
        try newest.apply(batches[...], &part.transientTypes)
      else { return try await load() }
      if newest.version >= current { return newest.version > version.version ? newest : nil }
      if batches.isEmpty { throw notReadable }
    }
  }

  /// The error if the newest batches of the log cannot be read yet, such as on a standby server.
  private var notReadable: SharedDatabaseError {
    .unavailable(space: log.space, code: "", reason: "newer batches cannot be read yet")
  }
}

// Pushing.
extension SharingWorker {
  private enum Progress {
    case isPushed
    case isBehind
  }

  /// Pushes the first waiting batch, or repeats the last push if its outcome is unknown.
  /// - Returns: `nil` if no batch is waiting.
  private func pushNext() async throws -> Progress? {
    try store()
    while pushed == nil {
      // Nothing is pushed after the sharing has ended. In the log, a pushed batch marks all earlier
      // batches of its client as finished. Some of the earlier batches may be rejected, and the
      // next process would not report their rejection.
      if engine.isEnded { return nil }
      do {
        guard let candidate = try part.candidate() else { return nil }
        if candidate.changes.isEmpty {
          // Other clients have made the same changes, or only transient members differ. This batch
          // is not pushed.
          show(part.confirm(candidate, as: candidate.base), isDurable: true)
        } else {
          pushed = candidate
        }
      } catch {
        if let first = part.waiting.first, first.number <= restoredNumber,
          part.confirmed.version == unfenced
        {
          _ = try await fence(part.confirmed.position)
          unfenced = nil
          return .isBehind
        }
        show(part.reject(error))
      }
    }
    return engine.isEnded ? nil : try await push()
  }

  private func push() async throws -> Progress? {
    guard let candidate = pushed else { return nil }
    let outcome: PushOutcome
    do {
      outcome = try await log.push(
        candidate.changes, from: candidate.old, to: candidate.storage,
        client: client(of: candidate.number), mutation: candidate.number, base: candidate.base)
    } catch let error as SharedDatabaseError where error.rejectsBatch {
      pushed = nil
      show(part.reject(error))
      return .isPushed
    }
    pushed = nil
    if engine.isEnded { return nil }
    switch outcome {
    case .behind: return .isBehind
    case .committed where candidate.number <= restoredNumber:
      // The earlier process may have committed this batch with other rows than those of
      // `candidate`. The committed rows are therefore read from the log.
      try await read()
      if part.waiting.first?.number == candidate.number {
        throw notReadable
      }
      return .isPushed
    case .committed(let version) where version == candidate.base.version + 1:
      let origin = BatchOrigin(client: client, mutation: candidate.number)
      show(part.confirm(candidate, as: LogPosition(version: version, origin: origin)))
      return .isPushed
    case .committed:
      // `version` does not follow `candidate.base`. This happens only if the server was restored.
      part.forget(through: candidate.number)
      try await reload()
      return .isPushed
    }
  }
}

// Reading.
extension SharingWorker {
  /// Returns the batches after a version. If a row of a batch cannot be read, the page is
  /// `trimmed`, so that the caller loads the database again.
  private func page(
    after position: LogPosition, combining combines: Bool = false
  ) async throws -> BatchPage<Storage> {
    do {
      return try await log.batches(
        since: position, limit: Self.pageSize, combining: combines)
    } catch SharedDatabaseError.cannotDecode {
      return .trimmed(current: position.version)
    }
  }

  /// Applies all batches that the log currently contains, as one commit.
  /// - Returns: Whether the log had newer batches or the database was loaded again.
  @discardableResult
  private func read() async throws -> Bool {
    let former = part.confirmed.version
    var version = part.confirmed
    var last: Int64?
    var own: Int64 = 0
    var combines = true
    repeat {
      // While the outcome of a push is unknown, batches are not combined, so that the pushed batch
      // can be recognized among them.
      let isCombined = combines && pushed == nil
      let page = try await page(after: version.position, combining: isCombined)
      if engine.isEnded { return false }
      guard case .batches(let batches, let current) = page else {
        try await reload()
        return true
      }
      last = last ?? current
      engine.noteUnread(current - part.confirmed.version)
      if let pushed, let first = batches.first, isOwn(first, pushed) {
        // The push was committed, but the acknowledgement was lost.
        self.pushed = nil
        show(part.confirm(pushed, as: first.position))
        version = part.confirmed
        guard try version.apply(batches.dropFirst(), &part.transientTypes) else {
          try await reload()
          return true
        }
      } else {
        guard try version.apply(batches[...], &part.transientTypes) else {
          if !isCombined {
            try await reload()
            return true
          }
          // Rules that compare two versions may refuse a combination of batches, but accept each
          // batch.
          combines = false
          continue
        }
        own = batches.compactMap { $0.lastMutation(of: client) }.last ?? own
        // Some of the batches may have been pushed by an earlier process.
        own = batches.reduce(own) { max($0, restored.lastNumber(in: $1)) }
        // The base of `pushed` is followed by another batch, so `pushed` was not committed.
        if !batches.isEmpty { pushed = nil }
      }
      if batches.isEmpty { break }
    } while version.version < last ?? 0
    let isNew = version.version > part.confirmed.version
    if isNew { part.forget(through: own) }
    show(isNew ? part.advance(to: version) : [])
    engine.noteUnread(0)
    return version.version > former
  }

  private func isOwn(
    _ batch: LoggedBatch<Storage>, _ pushed: OptimisticPart<Storage>.Candidate
  ) -> Bool {
    batch.client == client(of: pushed.number) && batch.mutation == pushed.number
      && batch.version == pushed.base.version + 1
  }

  /// Loads the whole database, because the batches of the log do not lead to its current version.
  private func reload() async throws {
    // Repeats a push with an unknown outcome, because a batch that was committed must not be
    // rebased. The log recognizes the push.
    if pushed != nil { _ = try await push() }
    if engine.isEnded { return }
    let loaded = try await load()
    if let first = part.waiting.first, first.number <= restoredNumber {
      // The loaded version may contain batches that an earlier process pushed.
      part.forget(through: try await restored.lastNumber(in: log))
    }
    if engine.isEnded { return }
    show(part.advance(to: part.confirmed.replaced(by: loaded, &part.transientTypes)))
    engine.noteUnread(0)
  }

  private func load() async throws -> SharedVersion<Storage> {
    let loaded = try await log.loadVersion()
    engine.noteSkipped(loaded.unreadable.rows)
    return loaded
  }
}
