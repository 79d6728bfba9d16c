#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SystemCalls {
  /// Opens a file to lock it, and creates it if it is missing.
  static func openToLock(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666) }
  }

  /// Opens a file to see whether another process holds its lock.
  static func openToProbe(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
  }

  /// Takes the exclusive lock of an open file, which the system releases when the process ends.
  ///
  /// - Returns: false if another process holds the lock and the call does not wait.
  static func lock(_ descriptor: Int32, waits: Bool) throws(Failure) -> Bool {
    do {
      try check { flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      // Some file systems have no locks; a file that was changed meanwhile is still refused.
      if [ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL].contains(error.code) { return true }
      throw error
    }
  }
}
