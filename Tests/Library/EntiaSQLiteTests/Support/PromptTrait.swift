import EntiaTestSupport
import Testing

/// A test goes on at once when what it waits for has happened; see `promptly`.
struct PromptTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws { try await promptly(function) }
}

extension Trait where Self == PromptTrait {
  static var prompt: Self { PromptTrait() }
}
