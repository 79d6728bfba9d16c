/// How many locks of this room the current thread holds: counted in debug builds, for tests that check
/// that user code runs under none.
package enum LockDepth {
  #if DEBUG
    private static let place = ThreadPointer()

    /// The number of locks that this thread holds; always 0 in optimized builds.
    package private(set) static var current: Int {
      get { Int(bitPattern: place.value) }
      set { place.value = UnsafeRawPointer(bitPattern: newValue) }
    }

    static func enter() { current += 1 }
    static func leave() { current -= 1 }
  #else
    /// The number of locks that this thread holds; always 0 in optimized builds.
    package static var current: Int { 0 }

    @inline(__always) static func enter() {}
    @inline(__always) static func leave() {}
  #endif
}
