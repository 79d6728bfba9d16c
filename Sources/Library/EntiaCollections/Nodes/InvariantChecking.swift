/// A container that can check its own structure.
///
/// With `ENTIA_INTERNAL_CHECKS=1` in the environment of the build, every change ends with a check.
@usableFromInline
protocol InvariantChecking {
  var count: Int { get }
  /// Returns the violated invariants: none, unless Entia itself has a defect.
  func invariantViolations() -> [String]
}

extension InvariantChecking {
  #if ENTIA_INTERNAL_CHECKS
    /// Stops the program if an invariant is violated. Large containers take long to check, so they
    /// are checked only at some sizes.
    @usableFromInline
    mutating func checkInvariants() {
      guard count < 128 || count & 1023 == 0 else { return }
      let violations = invariantViolations()
      precondition(violations.isEmpty, "a violated invariant: \(violations)")
    }
  #else
    // Mutating, because a nonmutating call could load or copy the container.
    @inlinable
    @inline(__always)
    mutating func checkInvariants() {}
  #endif
}

/// Counts the nodes that tables visit and copy in debug builds. Tests check that the counts are
/// small. They do not measure time, because measured times vary.
@usableFromInline
package final class TableWork: @unchecked Sendable {
  // Unchecked, because one task counts its own work, and a test does not share its counter with
  // another thread.

  /// The events that are counted.
  @usableFromInline
  package enum Event {
    /// A node was copied because an older version shares it.
    case nodeCopied
    /// A node was visited to compare two versions, to find their differences or to copy a range.
    case nodeVisited
  }

  /// The number of copied nodes.
  package private(set) var copiedNodes = 0
  /// The number of nodes that were visited to compare versions, to find their differences or to
  /// copy a range.
  package private(set) var visitedNodes = 0

  @TaskLocal private static var current: TableWork?

  private init() {}

  /// Runs the closure and returns the work it caused on this task.
  package static func counting(_ body: () throws -> Void) rethrows -> TableWork {
    let work = TableWork()
    try $current.withValue(work, operation: body)
    return work
  }

  #if DEBUG
    @usableFromInline
    static func note(_ event: Event) {
      guard let current else { return }
      switch event {
      case .nodeCopied: current.copiedNodes += 1
      case .nodeVisited: current.visitedNodes += 1
      }
    }
  #else
    @inlinable
    @inline(__always)
    static func note(_ event: Event) {}
  #endif
}
