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

  var value: UnsafeRawPointer? {
    get { UnsafeRawPointer(pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}

/// A thread-local flag that a call sets in order to report something that it cannot return.
struct ThreadFlag: Sendable {
  /// The number of times that the flag was set. Unlike a Boolean, a count need not be reset before
  /// each call of `isSet(during:)`.
  private let count = ThreadPointer()

  func set() {
    count.value = UnsafeRawPointer(bitPattern: UInt(bitPattern: count.value) &+ 1)
  }

  /// Returns whether a call sets the flag on this thread.
  func isSet(during call: () -> Void) -> Bool {
    let outer = count.value
    call()
    if count.value == outer { return false }
    // The count is restored for an outer call of `isSet(during:)`, which must not return `true`
    // because of this call.
    count.value = outer
    return true
  }
}

/// The identity of a thread, which distinguishes a reentrant call from a call on another thread.
///
/// The system may reuse the identity of a thread that has ended. An identity is therefore stored
/// only while its thread is inside a synchronous call.
package struct ThreadIdentity: Equatable, Sendable {
  private let bits: UInt

  package static var current: ThreadIdentity {
    #if canImport(Darwin) || canImport(Musl)
      ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(bits: UInt(pthread_self()))
    #endif
  }
}
