#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds out whether somebody tracks what this thread reads just now.
///
/// Observation does not say so. But it notes what is read in a set of key paths, and for that it
/// hashes them; what is read outside of a tracking is not hashed. A path with a probe in it notices.
struct ReadProbe: Hashable, Sendable {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "the system has no thread-specific value to give: error \(status)")
    return key
  }()

  /// Whether a probe was hashed on this thread during a call.
  static func isNoted(_ access: () -> Void) -> Bool {
    pthread_setspecific(key, nil)
    access()
    return pthread_getspecific(key) != nil
  }

  static func == (first: ReadProbe, second: ReadProbe) -> Bool { true }

  func hash(into hasher: inout Hasher) {
    pthread_setspecific(Self.key, UnsafeRawPointer(bitPattern: 1))
  }
}
