import EntiaDatabase
import EntiaStore

/// The rows of a shared part that waiting batches have written, which the store must not evict: all
/// that differ from the version that the log has confirmed.
final class UnsentRows<Storage: NormalizedStorageType>: Sendable {
  private struct Contents {
    var confirmed: Storage
    /// The registration in the store.
    var registration: (any AnyObject & Sendable)?
  }

  private let contents: Mutex<Contents>

  init(of part: SharedPart<Storage>, since confirmed: Storage) {
    contents = Mutex(Contents(confirmed: confirmed))
    let registration = part.keepUnsentRows { [weak self] in
      self?.contents.withLock { $0.confirmed }
    }
    contents.withLock { $0.registration = registration }
  }

  /// Records the version that the log has confirmed.
  func note(confirmed: Storage) {
    let former = contents.withLock { contents in
      let former = contents.confirmed
      contents.confirmed = confirmed
      return former
    }
    withExtendedLifetime(former) {}
  }
}
