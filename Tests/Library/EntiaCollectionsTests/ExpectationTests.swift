import EntiaTestSupport
import Testing

@Suite("Expectations of the tests")
struct ExpectationTests {
  @Test("An expectation that does not hold is an issue at its line, with the values")
  func failures() {
    let found: Int? = 3
    expectIssue("Optional(3) == Optional(4)\nrow 7", at: #line + 1) {
      expectEqual(found, 4, "row \(7)")
    }
    expectIssue(#""a" == "b""#, at: #line) { expectEqual("a", "b") }
    expectIssue("3 == nil", at: #line) { expectNil(found) }
    expectIssue("the condition is false\nno", at: #line) { expectTrue(found == nil, "no") }
    expectIssue("the condition is true", at: #line) { expectFalse(found == 3) }
  }

  @Test("An expectation that holds is no issue, and its comment is not created")
  func successes() {
    func comment() -> Comment? {
      Issue.record("the comment is created")
      return nil
    }
    expectEqual(Int?.none, nil, comment())
    expectNil(Int?.none, comment())
    expectTrue(1 < 2, comment())
    expectFalse(1 > 2, comment())
  }

  /// Expects the body to record one issue, with this text and line.
  private func expectIssue(_ text: String, at line: Int, _ body: () -> Void) {
    withKnownIssue {
      body()
    } matching: {
      $0.sourceLocation?.line == line
        && $0.comments.map(\.rawValue) == ["Expectation failed: \(text)"]
    }
  }
}
