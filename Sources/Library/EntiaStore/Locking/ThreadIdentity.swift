#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The identity of a thread, which distinguishes a reentrant call from a call on another thread.
///
/// The system may reuse the identity of a thread that has ended, so it is stored only while its
/// thread is inside a synchronous call.
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
