import EntiaDatabase
import EntiaStore
import Foundation

/// Pushes local batches and applies those of other clients, one step after another.
actor SharingWorker<Storage: NormalizedStorageType> {
  /// The number of batches that are read at once.
  private static var pageSize: Int { 500 }

  nonisolated let log: any SharedLog<Storage>
  let client = ClientID()
  private(set) var part: OptimisticPart<Storage>
  private let engine: SharingEngine<Storage>
  /// The version that the store shows.
  private var shown: Storage
  /// The batch of a push whose outcome is unknown. It is repeated as it was.
  private var pushed: OptimisticPart<Storage>.Candidate?

  init(
    _ log: any SharedLog<Storage>, from loaded: SharedVersion<Storage>,
    merge: ThreeWayMerge<Storage>, _ engine: SharingEngine<Storage>
  ) {
    self.log = log
    part = OptimisticPart(loaded, merge: merge)
    shown = loaded.storage
    self.engine = engine
  }

  /// Works until no local batch waits and no hint of other batches is left.
  /// - Throws: The error of a call on the log.
  func run() async throws {
    var mustRead = engine.takeHint()
    var isBehind = false
    while !engine.isEnded {
      let version = part.confirmed.version
      if mustRead { try await read() }
      if isBehind, part.confirmed.version == version {
        // Such as from a standby server. Without a pause this would be repeated at once.
        throw SharedDatabaseError.unavailable(
          space: log.space, code: "", reason: "newer batches cannot be read yet")
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

  private func takeRecorded() {
    let recorded = engine.takeRecorded()
    let rejected = part.append(recorded)
    if let last = recorded.last, last.new.snapshot.isIdentical(to: part.local.snapshot) {
      shown = part.local
    }
    show(rejected)
  }

  /// Shows the local version in the store if it was rebased, and reports rejected batches.
  private func show(_ rejections: [RejectedBatch<Storage>] = []) {
    var rejected = rejections
    if !part.local.snapshot.isIdentical(to: shown.snapshot) {
      engine.activePart?.replace(named: "Shared changes") { committed in
        // Commits since the last look; no other can follow before the replacement.
        rejected += part.append(engine.takeRecorded())
        if engine.isEnded { return nil }
        var version = part.local
        version.takeTransientMembers(from: committed)
        if !version.snapshot.isIdentical(to: part.local.snapshot) { part.adopt(version) }
        return PartReplacement(version, isEqual: version.changes(since: committed).isEmpty)
      }
      shown = part.local
    }
    engine.noteProgress(part, rejected)
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
    while pushed == nil {
      do {
        guard let candidate = try part.candidate() else { return nil }
        if candidate.changes.isEmpty {
          show(part.confirm(candidate, as: candidate.base))
        } else {
          pushed = candidate
        }
      } catch {
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
    case .committed(let version) where version == candidate.base + 1:
      show(part.confirm(candidate, as: version))
      return .isPushed
    case .committed:
      // Committed from another base, which only a restored server can have seen.
      part.forgetFirst()
      try await reload()
      return .isPushed
    }
  }
}

// Reading.
extension SharingWorker {
  /// Applies all batches that the log contains now, as one commit.
  private func read() async throws {
    var version = part.confirmed
    var last: Int64?
    repeat {
      let page = try await log.batches(since: version.version, limit: Self.pageSize)
      if engine.isEnded { return }
      guard case .batches(let batches, let current) = page else {
        return try await reload()
      }
      last = last ?? current
      engine.noteUnread(current - part.confirmed.version)
      if let pushed, let own = batches.first, isOwn(own, pushed) {
        // The acknowledgement was lost.
        self.pushed = nil
        show(part.confirm(pushed, as: own.version))
        version = part.confirmed
        guard try apply(batches.dropFirst(), to: &version) else { return try await reload() }
      } else {
        guard try apply(batches[...], to: &version) else { return try await reload() }
        // A batch was committed first, so that the push with an unknown outcome was not.
        if !batches.isEmpty { pushed = nil }
      }
      if batches.isEmpty { break }
    } while version.version < last ?? 0
    let isNew = version.version > part.confirmed.version
    show(isNew ? part.advance(to: version) : [])
    engine.noteUnread(0)
  }

  private func isOwn(
    _ batch: LoggedBatch<Storage>, _ pushed: OptimisticPart<Storage>.Candidate
  ) -> Bool {
    batch.client == client && batch.mutation == pushed.number && batch.version == pushed.base + 1
  }

  /// Applies batches to a version.
  /// - Returns: Whether all of them follow it. Otherwise it has to be loaded again.
  private func apply(
    _ batches: ArraySlice<LoggedBatch<Storage>>, to version: inout SharedVersion<Storage>
  ) throws -> Bool {
    var storage = version.storage
    var number = version.version
    for batch in batches {
      guard batch.version == number + 1 else { return false }
      do {
        try storage.apply(batch.changes)
      } catch {
        // A client with another schema wrote it.
        return false
      }
      number = batch.version
    }
    version = SharedVersion(storage: storage, version: number)
    return true
  }

  /// Loads the whole database, because the log does not lead to its current version any more.
  private func reload() async throws {
    // A push that was committed is recognized even then, and must not be rebased.
    if pushed != nil { _ = try await push() }
    if engine.isEnded { return }
    let loaded = try await log.loadVersion()
    if engine.isEnded { return }
    show(part.advance(to: following(loaded)))
    engine.noteUnread(0)
  }

  /// Returns a loaded version that shares its unchanged rows with the confirmed one, so that
  /// comparing both takes time in proportion to their differences only.
  private func following(_ loaded: SharedVersion<Storage>) -> SharedVersion<Storage> {
    var storage = part.confirmed.storage
    do {
      try storage.apply(loaded.storage.changes(since: storage))
    } catch {
      // The rules that compare two versions may refuse all changes at once.
      return loaded
    }
    return SharedVersion(storage: storage, version: loaded.version)
  }
}
