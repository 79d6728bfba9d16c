/// A value shared by several threads, accessible only under its lock.
///
/// The closure of `withLock` must be short and must not run user code. Values that it discards are
/// returned as its result, so that a user's `deinit` runs after the lock is released.
///
/// Sendable despite a mutable target: every access is inside `withLock`. The value is behind a
/// pointer because a property would be checked for exclusive access, which the lock already
/// guarantees, at a tenth of the cost of a commit.
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

  /// Acquires the lock and returns the value, for a caller that cannot pass a closure. It must call
  /// `unlockValue()` as soon as possible, and must not run user code before.
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

/// The number of this module's locks that the current thread holds. It is counted in debug builds,
/// for tests that check that user code runs under no lock.
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
  /// Returns an element that exists in the value, or adds one, so that concurrent callers receive
  /// the same one. Elements are compared and created without the lock, because this may run user
  /// code; if the value has changed meanwhile, the search starts again.
  ///
  /// - Parameters:
  ///   - read: Returns the elements to search, and a revision that differs after every change of
  ///     them; called under the lock.
  ///   - find: Returns an existing element; called without the lock.
  ///   - make: Creates an element, given the searched ones and their revision; called without the
  ///     lock.
  ///   - add: Adds the element to the value; called under the lock. It may remove only elements
  ///     that `read` has returned, because they are retained until the lock is released.
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
