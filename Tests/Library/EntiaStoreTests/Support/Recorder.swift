import Foundation

/// Notes down what happens, from any thread.
///
/// Sendable although its elements are a `var`: every access goes through the lock.
final class Recorder<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var recorded: [Element] = []

  func record(_ element: Element) {
    lock.withLock { recorded.append(element) }
  }

  var elements: [Element] { lock.withLock { recorded } }
  var count: Int { elements.count }
  var last: Element? { elements.last }
}

/// Something with a lifetime to be watched.
final class Token: Sendable {}

/// An error that says nothing but that it is this one.
struct Refused: Error, Equatable {
  var reason = ""
}
