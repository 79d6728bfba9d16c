/// What was measured in one suite at one size.
package struct SuiteResult: Equatable, Sendable {
  package let suite: String
  package let size: Int
  package let cases: [CaseResult]
  /// Why nothing was measured; `nil` when it was.
  package let skipped: String?

  package init(suite: String, size: Int, cases: [CaseResult], skipped: String? = nil) {
    self.suite = suite
    self.size = size
    self.cases = cases
    self.skipped = skipped
  }
}
