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
