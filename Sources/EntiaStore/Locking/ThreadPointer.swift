#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pointer that each thread has one of its own of; `nil` at first.
struct ThreadPointer: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system has no thread-specific value to give: error \(status)")
    self.key = key
  }

  /// The pointer of this thread.
  var value: UnsafeRawPointer? {
    get { UnsafeRawPointer(pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
