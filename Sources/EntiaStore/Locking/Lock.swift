#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The only lock of this room: everything that waits for another thread waits on one of these.
///
/// It is used in two ways. `Protected` guards a few words with it for a few nanoseconds, and no
/// user's code (no closure, no `==`, no observer, no `deinit` of a user's value) ever runs under
/// it. `CommitTurn` holds one while the closure of a commit runs, and only other commits wait for
/// that one.
///
/// The platform's lock is used directly: it lends a waiting thread's priority to the holder on
/// Apple platforms, and ThreadSanitizer understands it everywhere. It lives on the heap because a
/// lock must not move. Whoever makes one ends it with `destroy()`.
///
/// Sendable although it holds a pointer: the pointer never changes, and what it points to is made
/// to be used from several threads.
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
        // Looks a few times before it sleeps: most locks here are held for less than a sleep takes.
        pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
      #endif
      let status = pthread_mutex_init(storage, &kind)
      precondition(status == 0, "the system has no lock to give: error \(status)")
    #endif
  }

  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(storage)
    #else
      let status = pthread_mutex_lock(storage)
      precondition(status == 0, "a lock cannot be taken: error \(status)")
    #endif
  }

  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(storage)
    #else
      let status = pthread_mutex_unlock(storage)
      precondition(status == 0, "a lock cannot be given back: error \(status)")
    #endif
  }

  /// Ends the lock; nobody may hold it or use it afterwards.
  func destroy() {
    #if !canImport(Darwin)
      pthread_mutex_destroy(storage)
    #endif
    storage.deinitialize(count: 1)
    storage.deallocate()
  }
}
