/// A value shared by several threads, accessible only under its lock.
///
/// The closure of `withLock` must be short and must not run user code. It returns the values that
/// it discards, so that a user's `deinit` runs after the lock is released.
///
/// Sendable despite a mutable target: every access is inside `withLock`. The value is behind a
/// pointer, because each access of a property would check for exclusivity. The lock already
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

  /// Acquires the lock and returns the value, for a caller that cannot pass a closure. The caller
  /// must call `unlockValue()` as soon as possible, and must not run user code before.
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

/// The number of this module's locks that the current thread holds. Counted in debug builds only.
/// Tests use it to check that no lock is held while user code runs.
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
  /// element. Elements are compared and created without the lock, because this may run user code.
  /// If the value has changed meanwhile, the search starts again.
  ///
  /// - Parameters:
  ///   - read: Returns the elements to search, and a revision that differs after every change of
  ///     them; called under the lock.
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
