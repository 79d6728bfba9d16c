import Foundation

/// Runs asynchronous work, and waits for its end.
func waiting<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let finished = DispatchSemaphore(value: 0)
  let result = ResultBox<Result>()
  Task.detached {
    do {
      result.value = .success(try await body())
    } catch {
      result.value = .failure(error)
    }
    finished.signal()
  }
  finished.wait()
  guard let value = result.value else { throw Disagreement("the task has no result") }
  return try value.get()
}

/// The result of a task.
private final class ResultBox<Value>: @unchecked Sendable {
  // Unchecked because a semaphore orders the only write before the only read.
  var value: Result<Value, any Error>?
}

extension Contender {
  /// Measures passes of operations by the clock.
  static func clocked(
    _ name: String, _ count: Int, _ pass: @escaping (Int) throws -> Void
  ) -> Contender {
    Contender(name, isComparable: false) { run in
      while run.wantsMore {
        let count = run.size(count)
        let start = DispatchTime.now().uptimeNanoseconds
        try pass(count)
        run.add(
          count, nanoseconds: Double(DispatchTime.now().uptimeNanoseconds - start), result: 0)
      }
    }
  }
}
