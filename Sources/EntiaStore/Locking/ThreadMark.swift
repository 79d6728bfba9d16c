#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A mark that a thread leaves for itself, for callers that cannot be given a result.
struct ThreadMark: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system has no thread-specific value to give: error \(status)")
    self.key = key
  }

  /// Leaves the mark on this thread.
  func set() { pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)) }

  /// Whether the mark was left on this thread during a call.
  func isSet(during call: () -> Void) -> Bool {
    pthread_setspecific(key, nil)
    call()
    return pthread_getspecific(key) != nil
  }
}
