#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which thread this is: enough to tell "I am already inside" from "somebody else is inside".
///
/// A number may be given to a new thread after the old one has ended, so an identity is kept only
/// while its thread is inside a synchronous call.
struct ThreadIdentity: Equatable, Sendable {
  private let bits: UInt

  static var current: ThreadIdentity {
    #if canImport(Darwin) || canImport(Musl)
      ThreadIdentity(bits: UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(bits: UInt(pthread_self()))
    #endif
  }
}
