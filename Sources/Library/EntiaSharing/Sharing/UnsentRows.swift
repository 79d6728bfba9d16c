import EntiaDatabase
import EntiaStore

/// The rows of a shared part that waiting batches have written, which the store must not evict.
///
/// A row is one of them if the version that the log has confirmed has another one, or if a batch of
/// an earlier process has written it.
///
/// The batches of an earlier process are added to the part when the log has been read, which can
/// take as long as the server cannot be reached. Until then the store has the rows without their
/// edits, and an eviction would become a batch that removes them after the edits.
final class UnsentRows<Storage: NormalizedStorageType>: Sendable {
  private struct Contents {
    var confirmed: Storage
    /// The changes of the batches that have not been added to the part.
    var restoring: [StorageChangeSet<Storage>]
    /// The registration in the store.
    var registration: (any AnyObject & Sendable)?
  }

  private let contents: Mutex<Contents>

  /// - Parameters:
  ///   - part: The shared part.
  ///   - confirmed: The version that the log has confirmed.
  ///   - restoring: The batches of an earlier process, which the worker adds to the part before it
  ///     notes a version.
  init(
    of part: SharedPart<Storage>, since confirmed: Storage, restoring: [OutboxBatch<Storage>]
  ) {
    contents = Mutex(Contents(confirmed: confirmed, restoring: restoring.map(\.changes)))
    let registration = part.keepUnsentRows { [weak self] in
      self?.contents.withLock { ($0.confirmed, $0.restoring) }
    }
    contents.withLock { $0.registration = registration }
  }

  /// Records the version that the log has confirmed. All batches of an earlier process have been
  /// added to the part.
  func note(confirmed: Storage) {
    let former = contents.withLock { contents in
      let former = (contents.confirmed, contents.restoring)
      contents.confirmed = confirmed
      contents.restoring = []
      return former
    }
    withExtendedLifetime(former) {}
  }
}
