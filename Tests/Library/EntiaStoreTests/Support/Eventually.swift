import Dispatch
import Foundation

/// A limit for what should happen soon: a minute, and 5,000 rounds of waiting.
///
/// On a machine with more work than cores a minute may pass in which neither the waiting test nor
/// what it waits for has run. Rounds pass only as fast as there is a core for them.
private struct Patience {
  private let limit = DispatchTime.now() + 60
  private var rounds = 0

  /// Counts a round.
  ///
  /// - Returns: Whether the limit is reached.
  mutating func isExhausted() -> Bool {
    rounds += 1
    return rounds > 5_000 && DispatchTime.now() > limit
  }
}

/// Waits until a condition holds, blocking the thread.
///
/// - Returns: Whether it holds.
func eventually(_ condition: () -> Bool) -> Bool {
  var patience = Patience()
  while !condition() {
    if patience.isExhausted() { return false }
    Thread.sleep(forTimeInterval: 0.0005)
  }
  return true
}

/// Waits until a condition holds and what was enqueued on the main queue meanwhile has run.
///
/// - Returns: Whether it holds.
@MainActor
func eventuallyOnMain(_ condition: () -> Bool) async -> Bool {
  var patience = Patience()
  while !condition() {
    if patience.isExhausted() { return false }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
  return true
}

/// Waits until a condition holds without blocking a thread that other tasks need.
///
/// - Returns: Whether it holds.
func eventuallyAmongTasks(_ condition: () -> Bool) async throws -> Bool {
  var patience = Patience()
  while !condition() {
    if patience.isExhausted() { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}
