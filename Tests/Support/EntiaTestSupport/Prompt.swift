import Dispatch

/// Runs the asynchronous parts of a function on a thread of their own.
///
/// A test that drives other processes waits for them again and again. Beside many tests it would go
/// on only when one of them leaves a thread, and meanwhile its processes would work without end.
public func promptly(_ body: () async throws -> Void) async throws {
  guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
    return try await body()
  }
  try await withTaskExecutorPreference(PromptExecutor()) { try await body() }
}

/// Runs the parts of one task after each other.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class PromptExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "EntiaTestSupport.promptly")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
