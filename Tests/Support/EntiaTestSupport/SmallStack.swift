import Foundation

/// Runs a body on a thread with a stack of 1 MB. A recursion over a few thousand levels of an input
/// overflows it.
///
/// Expectations belong to the test only on its own thread, so the body returns the values to check.
public func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let outcome = Outcome<Value>()
  let end = DispatchSemaphore(value: 0)
  let thread = Thread {
    outcome.result = Result { try body() }
    end.signal()
  }
  thread.stackSize = 1 << 20
  thread.start()
  end.wait()
  guard let result = outcome.result else { throw CancellationError() }
  return try result.get()
}

/// What the thread leaves. It is written before the semaphore is signaled and read after it.
private final class Outcome<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}
