import EntiaDatabase
import EntiaStore

@testable import EntiaSharing

/// A space in memory, in place of a server.
final class MemorySpace<Storage: NormalizedStorageType>: Sendable {
  private struct Contents {
    /// The database of each version.
    var versions: [Storage]
    /// The batch of each version but the first.
    var log: [LoggedBatch<Storage>] = []
    /// The version up to which the log is trimmed.
    var trimmed: Int64 = 0
    var outcomes: [ClientID: [Int64: Int64]] = [:]
    /// The pushes that the server receives after their clients have given up.
    var late: [@Sendable () -> Void] = []
    var problems: [String] = []
    /// The databases of versions that a restore took back.
    var abandoned: [LogPosition: Storage] = [:]
    /// The batches that a restore took back.
    var lost: Set<BatchOrigin> = []
    var listeners: [(first: Int64, AsyncStream<Int64>.Continuation)] = []

    var current: Int64 { Int64(log.count) }

    /// The place of a version in the log.
    func position(of version: Int64) -> LogPosition {
      LogPosition(version: version, origin: version == 0 ? nil : log[Int(version) - 1].origins.last)
    }

    /// Whether a client's version is one of the log.
    func contains(_ position: LogPosition) -> Bool {
      position.version <= current
        && (position.origin == nil || self.position(of: position.version) == position)
    }
  }

  let name = "team"
  private let contents: Mutex<Contents>

  init(_ initial: Storage = Storage()) { contents = Mutex(Contents(versions: [initial])) }

  var current: Int64 { contents.withLock { $0.current } }
  var newest: Storage { contents.withLock { $0.versions[$0.versions.count - 1] } }
  var log: [LoggedBatch<Storage>] { contents.withLock { $0.log } }
  /// What a correct client never does.
  var problems: [String] { contents.withLock { $0.problems } }

  /// The batches that a restore took back.
  var lost: Set<BatchOrigin> { contents.withLock { $0.lost } }

  func version(_ number: Int64) -> Storage { contents.withLock { $0.versions[Int(number)] } }

  /// Returns the database of a version, also of one that a restore took back.
  func version(at position: LogPosition) -> Storage? {
    contents.withLock {
      $0.contains(position)
        ? $0.versions[Int(position.version)] : $0.abandoned[position]
    }
  }

  /// Whether a batch up to a version had the same number before a restore, and other batches before
  /// it.
  func hasRepeatedBatch(through version: Int64) -> Bool {
    contents.withLock { contents in
      contents.log.prefix(Int(version)).contains { contents.abandoned[$0.position] != nil }
    }
  }

  /// Puts the space back to an earlier version, as a backup of the server does.
  func restore(to version: Int64) {
    contents.withLock { contents in
      while contents.current > version {
        let position = contents.position(of: contents.current)
        contents.abandoned[position] = contents.versions.removeLast()
        contents.lost.formUnion(contents.log.removeLast().origins)
      }
      contents.trimmed = min(contents.trimmed, version)
      for (client, outcomes) in contents.outcomes {
        contents.outcomes[client] = outcomes.filter { $0.value <= version }
      }
    }
  }

  func load() -> SharedVersion<Storage> {
    contents.withLock {
      SharedVersion(
        storage: $0.versions[$0.versions.count - 1], position: $0.position(of: $0.current))
    }
  }

  func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) -> PushOutcome {
    let newest = self.newest
    let outcome = contents.withLock { contents -> PushOutcome in
      if let version = contents.outcomes[client]?[mutation] { return .committed(version: version) }
      if base.version != contents.current || !contents.contains(base) {
        return .behind(current: contents.current)
      }
      if let last = contents.outcomes[client]?.keys.max(), last > mutation {
        contents.problems.append("mutation \(mutation) was pushed after \(last)")
      }
      var next = newest
      var changes = changes
      do {
        // The log has rows as they are encoded.
        var types = TransientTypes()
        changes = changes.keepingTransientMembers(of: newest, types: &types)
        try next.apply(changes)
      } catch {
        contents.problems.append(
          "mutation \(mutation) does not fit on version \(base.version): \(error)")
      }
      contents.versions.append(next)
      let version = contents.current + 1
      contents.log.append(
        LoggedBatch(version: version, client: client, mutation: mutation, changes: changes))
      contents.outcomes[client, default: [:]][mutation] = version
      return .committed(version: version)
    }
    if case .committed(let version) = outcome { announce(version) }
    return outcome
  }

  func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) -> BatchPage<Storage> {
    let version = position.version
    return contents.withLock { contents in
      if version < contents.trimmed || !contents.contains(position) {
        return .trimmed(current: contents.current)
      }
      let page = contents.log[Int(version)...].prefix(limit)
      if combines, let last = page.last {
        let changes = contents.versions[Int(last.version)]
          .changes(since: contents.versions[Int(version)])
        let combined = LoggedBatch(
          version: last.version, origins: page.flatMap(\.origins), changes: changes)
        return .batches([combined], current: contents.current)
      }
      return .batches(Array(page), current: contents.current)
    }
  }

  func lastMutation(of client: ClientID) -> Int64 {
    contents.withLock { $0.outcomes[client]?.keys.max() ?? 0 }
  }

  /// Trims the log up to its current version.
  func trim() { contents.withLock { $0.trimmed = $0.current } }

  func pushLater(_ push: @escaping @Sendable () -> Void) {
    contents.withLock { $0.late.append(push) }
  }

  func receiveLatePushes() {
    let late = contents.withLock { contents in
      let late = contents.late
      contents.late = []
      return late
    }
    for push in late { push() }
  }

  /// Returns hints: 0 for a poll, and versions from a number on.
  func listen(to first: Int64) -> AsyncStream<Int64> {
    let (stream, listener) = AsyncStream<Int64>.makeStream(bufferingPolicy: .bufferingNewest(1))
    contents.withLock { $0.listeners.append((first, listener)) }
    return stream
  }

  func announce(_ version: Int64) {
    for (first, listener) in contents.withLock({ $0.listeners })
    where version == 0 || version >= first { listener.yield(version) }
  }

  func endHints() {
    for (_, listener) in contents.withLock({ $0.listeners }) { listener.finish() }
  }
}
