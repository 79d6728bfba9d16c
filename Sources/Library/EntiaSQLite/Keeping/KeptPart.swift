import EntiaStore

/// A part of a store's state that is saved into a storage of a file.
final class KeptPart: FileKeeper, Sendable {
  /// The saves of all parts of the store in the file.
  let saves: SaveQueue
  private let currentPhase = Mutex(FileKeeperPhase.active)

  init(_ saves: SaveQueue) { self.saves = saves }

  /// The progress towards the end, which the saves set.
  var phase: FileKeeperPhase {
    get { currentPhase.withLock { $0 } }
    set { currentPhase.withLock { $0 = newValue } }
  }

  func flush(timeout: Duration?) throws { try saves.flush(timeout: timeout) }
}
