#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SystemCalls {
  /// Opens a file for locking, and creates it if it is missing.
  static func openToLock(_ path: String) throws(Failure) -> Int32 {
    do throws(Failure) {
      return try check { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    } catch {
      return try openReadOnly(path, after: error)
    }
  }

  /// Opens a file to check whether another process holds its lock.
  static func openToProbe(_ path: String) throws(Failure) -> Int32 {
    do throws(Failure) {
      return try check { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    } catch {
      return try openReadOnly(path, after: error)
    }
  }

  /// Opens a file for reading if only its owner may write it. This suffices for the locks of local
  /// file systems.
  ///
  /// NFS implements them as locks of byte ranges, for which the file has to be open for writing.
  private static func openReadOnly(
    _ path: String, after failure: Failure
  ) throws(Failure) -> Int32 {
    guard failure.code == EACCES else { throw failure }
    do throws(Failure) {
      return try check { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    } catch {
      throw failure
    }
  }

  /// Acquires the exclusive lock of an open file. The system releases it when the process ends.
  ///
  /// Some file systems have no locks, or none for a file that is open only for reading. Without the
  /// lock, writing a database still detects a change by another process.
  ///
  /// - Returns: `false` if another process holds the lock and `waits` is `false`; otherwise `true`.
  static func lock(_ descriptor: Int32, waits: Bool) throws(Failure) -> Bool {
    do throws(Failure) {
      return try lockStrictly(descriptor, waits: waits)
    } catch {
      let codes = [ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL, EBADF]
      if codes.contains(error.code) { return true }
      throw error
    }
  }

  /// Acquires the lock, and throws an error if the file system has none.
  static func lockStrictly(_ descriptor: Int32, waits: Bool) throws(Failure) -> Bool {
    do throws(Failure) {
      try check { flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }
}
