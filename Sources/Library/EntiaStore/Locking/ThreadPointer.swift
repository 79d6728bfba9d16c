#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread-local pointer; initially `nil`.
struct ThreadPointer: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system has no thread-specific value to give: error \(status)")
    self.key = key
  }

  /// The pointer of the current thread.
  var value: UnsafeRawPointer? {
    get { UnsafeRawPointer(pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
