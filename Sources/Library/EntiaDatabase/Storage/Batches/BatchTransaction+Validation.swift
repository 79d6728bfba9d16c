extension BatchTransaction {
  /// Whether the batch may violate a rule.
  @inlinable
  var needsValidation: Bool {
    hasDenials || base.box.layout.hasLimits || base.box.layout.hasConstraints
      || base.box.layout.isUnvalidated
  }

  /// Checks all rules.
  /// - Throws: `BatchError.refused` with every rule that the batch violates.
  @usableFromInline
  func validate() throws {
    let violations = violations() + constraintViolations() + keptViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
  }

  /// Returns every rule that the batch violates.
  /// - Complexity: O(*k*) expected in the number of removals that a rule may deny; O(changes ·
  ///   log *n*) if a relationship has limits.
  func violations() -> [BatchViolation] {
    let denied = deniedDeletions.values.flatMap { $0.violations(in: self) }
    return denied.sorted { $0.number < $1.number }.map(\.violation) + countViolations()
  }
}
