extension NormalizedStorageType {
  /// Returns the violations by rows of the rules that batches check, independent of the batch
  /// that wrote them.
  func constraintIssues() -> [VerificationIssue] {
    var verifier = RuleVerifier(snapshot: snapshot, checksReferences: false)
    Contents.visitParts(&verifier)
    return verifier.violations.map { .brokenConstraint($0) }
  }
}
