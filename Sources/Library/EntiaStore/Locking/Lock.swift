#if canImport(Darwin)
  import Darwin
#elseif canImport(Android)
  import Android
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The only kind of lock in this module. A thread waits for another thread only at such a lock, or
/// at the semaphore of a `TurnLock`.
///
/// A `Lock` is used in two ways. A `Mutex` holds its lock for a few nanoseconds to guard a few
/// words. No user code ever runs meanwhile: no closure, no `==`, no observer, and no `deinit` of a
/// user's value. A `CommitLock` holds its lock while the closure of a commit runs, and only other
/// commits wait for it.
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
        // This kind of lock spins before it blocks, because most locks here are held for less time
        // than blocking takes.
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

  /// Acquires the lock if it is free.
  /// - Returns: Whether the lock was acquired.
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

/// A value shared by several threads, accessible only under its lock.
///
/// The closure of `withLock` must be short and must not run user code. It returns the values that
/// it discards, so that a user's `deinit` runs after the lock is released.
///
/// Sendable despite a mutable target: every access is under the lock. The value is stored behind a
/// pointer, because Swift would check each access to a property for exclusivity. The lock already
/// guarantees exclusivity, and the check would take a tenth of the time of a commit.
package final class Mutex<Value>: @unchecked Sendable {
  @usableFromInline let lock = Lock()
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    lock.destroy()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    LockDepth.enter()
    defer {
      LockDepth.leave()
      lock.unlock()
    }
    return try body(&value.pointee)
  }

  /// Changes the value. The result of the closure is released after the lock has been released,
  /// because the `deinit` of the result may run user code.
  package func release<Removed>(_ body: (inout Value) -> Removed) {
    let removed = withLock(body)
    withExtendedLifetime(removed) {}
  }

  /// Replaces parts of the value. The former value is released after the lock has been released.
  package func replace(_ body: (inout Value) -> Void) {
    release { value in
      let former = value
      body(&value)
      return former
    }
  }

  /// Acquires the lock and returns the value, for a caller that cannot pass a closure. The caller
  /// must call `unlockValue()` as soon as possible, and must not run user code until then.
  func lockValue() -> UnsafeMutablePointer<Value> {
    lock.lock()
    LockDepth.enter()
    return value
  }

  /// Releases the lock after `lockValue()`.
  func unlockValue() {
    LockDepth.leave()
    lock.unlock()
  }
}

/// The number of this module's locks that the current thread holds. The locks are counted in debug
/// builds only. Tests use the number to check that no lock is held while user code runs.
package enum LockDepth {
  #if DEBUG
    private static let place = ThreadPointer()

    /// The number of locks that this thread holds; always 0 in optimized builds.
    package private(set) static var current: Int {
      get { Int(bitPattern: place.value) }
      set { place.value = UnsafeRawPointer(bitPattern: newValue) }
    }

    @usableFromInline static func enter() { current += 1 }
    @usableFromInline static func leave() { current -= 1 }
  #else
    /// The number of locks that this thread holds; always 0 in optimized builds.
    package static var current: Int { 0 }

    @inlinable static func enter() {}
    @inlinable static func leave() {}
  #endif
}

extension Mutex {
  /// Returns an existing element of the value, or adds one. Concurrent callers receive the same
  /// element. Elements are compared and created without the lock, because both may run user code.
  /// If the value has changed meanwhile, the search starts again.
  ///
  /// - Parameters:
  ///   - read: Returns the elements to search, and a revision that changes whenever an element is
  ///     added or replaced; called under the lock.
  ///   - find: Returns an existing element; called without the lock.
  ///   - make: Creates an element from the searched elements and their revision; called without the
  ///     lock.
  ///   - add: Adds the element to the value; called under the lock. The closure may remove only
  ///     elements that `read` has returned, because only these are retained until the lock is
  ///     released.
  /// - Returns: The element.
  func findOrAdd<Elements, Revision: Equatable, Element>(
    read: (Value) -> (elements: Elements, revision: Revision), find: (Elements) -> Element?,
    make: (Elements, Revision) -> Element, add: (inout Value, Element) -> Void
  ) -> Element {
    while true {
      let (elements, revision) = withLock { read($0) }
      if let element = find(elements) { return element }
      let element = make(elements, revision)
      let isAdded = withLock { value in
        guard read(value).revision == revision else { return false }
        add(&value, element)
        return true
      }
      withExtendedLifetime(elements) {}
      if isAdded { return element }
    }
  }
}
