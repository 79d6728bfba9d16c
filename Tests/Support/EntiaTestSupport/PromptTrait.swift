import Dispatch
public import Testing

/// Runs a test on a thread of its own, because it waits.
///
/// The tasks of all tests share as many threads as there are processors. A test that drives other
/// processes waits for them again and again: beside many tests it would go on only when one of them
/// leaves a thread, and meanwhile its processes would work without end. And a test that blocks its
/// thread until a time has passed would leave a processor idle.
public struct PromptTrait: SuiteTrait, TestTrait, TestScoping {
  /// The trait of a suite is that of each of its tests.
  public var isRecursive: Bool { true }

  /// Runs the asynchronous parts of a test on a thread of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
      return try await function()
    }
    try await withTaskExecutorPreference(PromptExecutor()) { try await function() }
  }
}

extension Trait where Self == PromptTrait {
  /// Runs a test on a thread of its own, because it waits.
  public static var prompt: Self { PromptTrait() }
}

/// Runs the parts of one task after each other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class PromptExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "EntiaTestSupport.prompt")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
