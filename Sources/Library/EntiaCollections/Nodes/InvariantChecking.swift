/// A container that can check its own structure.
///
/// With `ENTIA_INTERNAL_CHECKS=1` in the environment of the build, every change ends with a check.
@usableFromInline
protocol InvariantChecking {
  var count: Int { get }
  /// Returns the violated invariants: none, unless Entia itself has a defect.
  func invariantViolations() -> [String]
}

extension InvariantChecking {
  #if ENTIA_INTERNAL_CHECKS
    /// Stops the program if an invariant is violated. Large containers take long to check, so they
    /// are checked only at some sizes.
    @usableFromInline
    mutating func checkInvariants() {
      guard count < 128 || count & 1023 == 0 else { return }
      let violations = invariantViolations()
      precondition(violations.isEmpty, "a violated invariant: \(violations)")
    }
  #else
    // Mutating: a nonmutating call could load or copy the container.
    @inlinable
    @inline(__always)
    mutating func checkInvariants() {}
  #endif
}
