import EntiaCoding
import EntiaDatabase
import EntiaStore
import Foundation

/// Pushes local batches and applies those of other clients, one step after another.
actor SharingWorker<Storage: NormalizedStorageType> {
  /// The number of batches that are read at once.
  private static var pageSize: Int { 4_000 }

  nonisolated let log: any SharedLog<Storage>
  let client: ClientID
  private(set) var part: OptimisticPart<Storage>
  private let merge: ThreeWayMerge<Storage>
  let outbox: Outbox<Storage>?
  /// The batches of an earlier process that have not been added to the part.
  private(set) var restoring: [OutboxBatch<Storage>]
  /// The number of the last batch of an earlier process, whose pushes may still arrive at the
  /// server.
  private let restoredNumber: Int64
  /// The version from which a push of an earlier process may still be committed.
  private var unfenced: Int64?
  /// The batches that have to be stored before the next push.
  var unstored: [(number: Int64, line: JSONValue)] = []
  /// The numbers of the waiting batches that cannot be encoded, in ascending order. They are not in
  /// the outbox until a push rejects them.
  var unencodable: [Int64] = []
  /// The number of the last batch that is stored, or has to be.
  var storingNumber: Int64
  let engine: SharingEngine<Storage>
  /// The version that the store shows.
  private var shown: Storage
  /// The batch of a push whose outcome is unknown. It is repeated as it was.
  private var pushed: OptimisticPart<Storage>.Candidate?
  /// The error of the last write that noted finished batches. The next write repeats it.
  var outboxFailure: SharedDatabaseError?

  init(
    _ log: any SharedLog<Storage>, from loaded: SharedVersion<Storage>,
    merge: ThreeWayMerge<Storage>, _ engine: SharingEngine<Storage>
  ) {
    let outbox = engine.outbox
    self.log = log
    self.merge = merge
    self.outbox = outbox
    client = outbox?.client ?? ClientID()
    restoring = outbox?.restored ?? []
    restoredNumber = outbox?.lastNumber ?? 0
    storingNumber = restoredNumber
    part = OptimisticPart(loaded, merge: merge, lastNumber: restoredNumber)
    shown = loaded.storage
    self.engine = engine
  }

  /// Works until no local batch waits and no hint of other batches is left.
  /// - Throws: The error of a call on the log.
  func run() async throws {
    if !restoring.isEmpty { try await restore() }
    try storeRecorded()
    var mustRead = engine.takeHint()
    var isBehind = false
    while !engine.isEnded {
      let position = part.confirmed.position
      if mustRead { try await read() }
      if engine.isEnded { return }
      if isBehind, part.confirmed.position == position {
        // Such as from a standby server. Without a pause this would be repeated at once.
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

  /// Shows the local version in the store if it was rebased, and reports rejected batches.
  /// - Parameters:
  ///   - rejections: The rejected batches.
  ///   - isDurable: Whether a batch is confirmed that the log does not contain.
  private func show(
    _ rejections: [RejectedBatch<Storage>] = [], isDurable: Bool = false
  ) {
    var rejected = rejections
    let stored = storingNumber
    if !part.local.snapshot.isIdentical(to: shown.snapshot) {
      engine.activePart?.replace(named: "Shared changes") { committed in
        // Commits since the last look; no other can follow before the replacement.
        rejected += part.append(engine.takeRecorded())
        if engine.isEnded { return nil }
        return part.local
      }
      shown = part.local
    }
    noteNew()
    // Before the handler of rejections is called: a rejected batch must not be restored.
    if rejected.contains(where: { $0.batch.number <= stored }) {
      replaceStored()
    } else {
      outboxFailure = outbox?.finish(
        through: part.finishedNumber, last: part.lastNumber,
        isDurable: isDurable || !rejected.isEmpty)
    }
    engine.noteProgress(part, rejected)
  }
}

// Restoring.
extension SharingWorker {
  /// Adds the batches of an earlier process to the part.
  /// - Throws: The error of a call on the log.
  private func restore() async throws {
    // The earlier process may have seen later versions than the loaded one.
    var target = try await newest(after: part.confirmed)
    var replay = try await replay(onto: target)
    while !replay.rejected.isEmpty, try await !fence(target.position) {
      let position = target.position
      target = try await newest(after: target)
      if target.position == position { throw notReadable }
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
        restoring, client: client, through: batches, to: target, merge: merge)
    {
      return replay
    }
    let last = try await log.lastMutation(of: client)
    return OutboxReplay(restoring.filter { $0.number > last }, onto: target, merge: merge)
  }

  /// Moves the log beyond a version, so that no push of an earlier process that starts from it can
  /// still be committed. Without it, a batch could be rejected here and then arrive at the server.
  /// No other batch in a log is empty.
  /// - Returns: Whether the version was the last one. Otherwise the log was beyond it before.
  private func fence(_ position: LogPosition) async throws -> Bool {
    do {
      let outcome = try await log.push(
        StorageChangeSet(), client: ClientID(), mutation: 1, base: position)
      return outcome == .committed(version: position.version + 1)
    } catch let error as SharedDatabaseError where error.rejectsBatch {
      // The server accepts no push of this program, and none of the earlier process.
      return true
    }
  }

  private func newest(
    after version: SharedVersion<Storage>
  ) async throws -> SharedVersion<Storage> {
    var newest = version
    while true {
      let page = try await page(after: newest.position)
      guard case .batches(let batches, let current) = page,
        try apply(batches[...], to: &newest)
      else { return try await load() }
      if newest.version >= current { return newest }
      if batches.isEmpty { throw notReadable }
    }
  }

  /// The error of a log that returns older versions than it has, such as a standby server.
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
  /// - Returns: `nil` when no batch waits.
  private func pushNext() async throws -> Progress? {
    try store()
    while pushed == nil {
      do {
        guard let candidate = try part.candidate() else { return nil }
        if candidate.changes.isEmpty {
          // Others have made the same changes, or only transient members differ, so that it is not
          // in the log.
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
    return try await push()
  }

  private func push() async throws -> Progress? {
    guard let candidate = pushed else { return nil }
    let outcome: PushOutcome
    do {
      outcome = try await log.push(
        candidate.changes, client: client, mutation: candidate.number, base: candidate.base)
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
      // Possibly as a push of an earlier process, whose rows the log has.
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
      // Committed from another base, which only a restored server can have seen.
      part.forget(through: candidate.number)
      try await reload()
      return .isPushed
    }
  }
}

// Reading.
extension SharingWorker {
  /// Returns the batches after a version. A batch with a row that cannot be read does not lead to
  /// the next version here: the database has to be loaded again.
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

  /// Applies all batches that the log contains now, as one commit.
  private func read() async throws {
    var version = part.confirmed
    var last: Int64?
    var own: Int64 = 0
    var combines = true
    repeat {
      // The batch of a push with an unknown outcome has to be recognized.
      let isCombined = combines && pushed == nil
      let page = try await page(after: version.position, combining: isCombined)
      if engine.isEnded { return }
      guard case .batches(let batches, let current) = page else {
        return try await reload()
      }
      last = last ?? current
      engine.noteUnread(current - part.confirmed.version)
      if let pushed, let first = batches.first, isOwn(first, pushed) {
        // The acknowledgement was lost.
        self.pushed = nil
        show(part.confirm(pushed, as: first.position))
        version = part.confirmed
        guard try apply(batches.dropFirst(), to: &version) else { return try await reload() }
      } else {
        guard try apply(batches[...], to: &version) else {
          if !isCombined { return try await reload() }
          // The rules that compare two versions may refuse all changes at once.
          combines = false
          continue
        }
        // Pushes of an earlier process.
        own = batches.compactMap { $0.lastMutation(of: client) }.last ?? own
        // A batch was committed first, so that the push with an unknown outcome was not.
        if !batches.isEmpty { pushed = nil }
      }
      if batches.isEmpty { break }
    } while version.version < last ?? 0
    let isNew = version.version > part.confirmed.version
    if isNew { part.forget(through: own) }
    show(isNew ? part.advance(to: version) : [])
    engine.noteUnread(0)
  }

  private func isOwn(
    _ batch: LoggedBatch<Storage>, _ pushed: OptimisticPart<Storage>.Candidate
  ) -> Bool {
    batch.client == client && batch.mutation == pushed.number
      && batch.version == pushed.base.version + 1
  }

  /// Applies batches to a version.
  /// - Returns: Whether all of them follow it. Otherwise it has to be loaded again.
  private func apply(
    _ batches: ArraySlice<LoggedBatch<Storage>>, to version: inout SharedVersion<Storage>
  ) throws -> Bool {
    var storage = version.storage
    var position = version.position
    for batch in batches {
      guard batch.first == position.version + 1 else { return false }
      do {
        try storage.apply(batch.changes.keepingTransientMembers(of: storage))
      } catch {
        // A client with another schema wrote it.
        return false
      }
      position = batch.position
    }
    version = SharedVersion(storage: storage, position: position)
    return true
  }

  /// Loads the whole database, because the log does not lead to its current version any more.
  private func reload() async throws {
    // A push that was committed is recognized even then, and must not be rebased.
    if pushed != nil { _ = try await push() }
    if engine.isEnded { return }
    let loaded = try await load()
    if let first = part.waiting.first, first.number <= restoredNumber {
      // A push of an earlier process may be in the loaded version.
      part.forget(through: try await log.lastMutation(of: client))
    }
    if engine.isEnded { return }
    show(part.advance(to: following(loaded)))
    engine.noteUnread(0)
  }

  private func load() async throws -> SharedVersion<Storage> {
    let loaded = try await log.loadVersion()
    engine.noteSkipped(loaded.unreadable.rows)
    return loaded
  }

  /// Returns a loaded version that shares its unchanged rows with the confirmed one, so that
  /// comparing both takes time in proportion to their differences only.
  private func following(_ loaded: SharedVersion<Storage>) -> SharedVersion<Storage> {
    var storage = part.confirmed.storage
    do {
      let changes = loaded.storage.changes(since: storage)
      try storage.apply(changes.keepingTransientMembers(of: storage))
    } catch {
      // The rules that compare two versions may refuse all changes at once.
      return loaded
    }
    return SharedVersion(storage: storage, position: loaded.position)
  }
}
