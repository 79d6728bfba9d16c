#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The only lock of this module: every wait for another thread waits on one of these.
///
/// It is used in two ways. `Mutex` holds a lock for a few nanoseconds to guard a few words. No user
/// code ever runs under it: no closure, no `==`, no observer, and no `deinit` of a user's value.
/// `CommitLock` holds a lock while the closure of a commit runs, and only other commits wait for
/// it.
///
/// The platform's lock is used directly. On Apple platforms it boosts the holder to the priority of
/// a waiting thread, and ThreadSanitizer supports it on all platforms. It is allocated on the heap
/// because it must not move. The creator must call `destroy()`.
///
/// Sendable despite a pointer: the pointer never changes, and its target is designed for several
/// threads.
@usableFromInline
struct Lock: @unchecked Sendable {
  #if canImport(Darwin)
    private let storage: UnsafeMutablePointer<os_unfair_lock_s>
  #else
    private let storage: UnsafeMutablePointer<pthread_mutex_t>
  #endif

  init() {
    storage = .allocate(capacity: 1)
    #if canImport(Darwin)
      storage.initialize(to: os_unfair_lock_s())
    #else
      storage.initialize(to: pthread_mutex_t())
      var kind = pthread_mutexattr_t()
      pthread_mutexattr_init(&kind)
      defer { pthread_mutexattr_destroy(&kind) }
      #if canImport(Glibc)
        // Spins before it blocks: most locks here are held for less time than blocking takes.
        pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
      #endif
      let status = pthread_mutex_init(storage, &kind)
      precondition(status == 0, "the system has no lock to give: error \(status)")
    #endif
  }

  @usableFromInline
  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(storage)
    #else
      let status = pthread_mutex_lock(storage)
      precondition(status == 0, "a lock cannot be taken: error \(status)")
    #endif
  }

  /// Acquires the lock unless it is held.
  /// - Returns: Whether it was acquired.
  func tryLock() -> Bool {
    #if canImport(Darwin)
      os_unfair_lock_trylock(storage)
    #else
      pthread_mutex_trylock(storage) == 0
    #endif
  }

  @usableFromInline
  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(storage)
    #else
      let status = pthread_mutex_unlock(storage)
      precondition(status == 0, "a lock cannot be given back: error \(status)")
    #endif
  }

  /// Destroys the lock, which must not be held or used afterwards.
  func destroy() {
    #if !canImport(Darwin)
      pthread_mutex_destroy(storage)
    #endif
    storage.deinitialize(count: 1)
    storage.deallocate()
  }
}
