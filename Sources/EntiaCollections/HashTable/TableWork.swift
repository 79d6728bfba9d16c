/// Counts the work of tables in debug builds, so that tests can bound what an operation touches
/// where they could not trust a clock.
@usableFromInline
package final class TableWork: @unchecked Sendable {
  // Unchecked: one task counts its own work; a test does not share its counter with another thread.

  /// What can be counted.
  @usableFromInline
  package enum Event {
    /// A node was copied because an older version shares it.
    case nodeCopied
    /// A node was looked at by a comparison or a difference.
    case nodeVisited
  }

  /// How many nodes were copied.
  package private(set) var copiedNodes = 0
  /// How many nodes a comparison or a difference looked at.
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
