import Dispatch
import Foundation

/// Waits until a condition holds, at most 20 seconds.
///
/// - Returns: Whether it holds.
func eventually(_ condition: () -> Bool) -> Bool {
  let limit = DispatchTime.now() + 20
  while !condition() {
    if DispatchTime.now() > limit { return false }
    Thread.sleep(forTimeInterval: 0.0005)
  }
  return true
}

/// Waits until a condition holds and other tasks have run meanwhile, at most 20 seconds.
///
/// - Returns: Whether it holds.
@MainActor
func eventuallyOnMain(_ condition: () -> Bool) async -> Bool {
  let limit = DispatchTime.now() + 20
  while !condition() {
    if DispatchTime.now() > limit { return false }
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
  return true
}

/// Waits until a condition holds without blocking a thread that other tasks need, at most 20 seconds.
///
/// - Returns: Whether it holds.
func eventuallyAmongTasks(_ condition: () -> Bool) async throws -> Bool {
  let limit = DispatchTime.now() + 20
  while !condition() {
    if DispatchTime.now() > limit { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}
