/// The results of one suite at one size.
package struct SuiteResult: Equatable, Sendable {
  package let suite: String
  package let size: Int
  package let cases: [CaseResult]
  /// The reason why the suite was skipped; `nil` if it was measured.
  package let skipped: String?

  package init(suite: String, size: Int, cases: [CaseResult], skipped: String? = nil) {
    self.suite = suite
    self.size = size
    self.cases = cases
    self.skipped = skipped
  }
}
