/// An inner node of the page tree. The header is the number of children, any of which may be
/// missing. The children of the lowest level are pages.
@usableFromInline
final class PageTreeNode: ManagedBuffer<Int, AnyNode?>, NodeKind {
  @usableFromInline typealias Header = Int
  @usableFromInline typealias Element = AnyNode?

  @inlinable
  deinit {
    let count = header
    withUnsafeMutablePointerToElements { children in
      for index in 0..<count { children[index]?.release() }
    }
  }
}

extension NodeRef where Kind == PageTreeNode {
  /// Log2 of the number of children of a node. Wider nodes make reads faster, and narrower nodes
  /// make copies faster.
  @inlinable
  @inline(__always)
  static var shift: Int { 4 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// Returns the index of the child that holds the slot, in a node whose children each cover
  /// `1 << shift` slots.
  @inlinable
  @inline(__always)
  static func index(of slot: Int, shift: Int) -> Int { (slot &>> shift) & (fanOut &- 1) }

  /// Returns the child that holds the slot, in a node whose children each cover `1 << shift` slots.
  @inlinable
  @inline(__always)
  func child(of slot: Int, shift: Int) -> AnyNode? { elements[Self.index(of: slot, shift: shift)] }

  /// Returns the child that holds the slot, which must exist and be an inner node.
  @inlinable
  @inline(__always)
  func inner(of slot: Int, shift: Int) -> Self {
    child(of: slot, shift: shift).unsafelyUnwrapped.cast()
  }

  /// Returns the word of the child that holds the slot, in a unique node.
  @inlinable
  @inline(__always)
  func word(of slot: Int, shift: Int) -> UnsafeMutablePointer<AnyNode?> {
    mutableElements + Self.index(of: slot, shift: shift)
  }

  /// The number of children.
  @inlinable
  var childCount: Int {
    let children = elements
    var count = 0
    for index in 0..<Self.fanOut where children[index] != nil { count &+= 1 }
    return count
  }

  /// Creates a node without children.
  @inlinable
  @inline(__always)
  static func make() -> Self {
    let node = make(capacity: fanOut, header: fanOut)
    node.mutableElements.initialize(repeating: nil, count: fanOut)
    return node
  }

  /// Returns a copy without the child that the caller replaces next (-1: with all children).
  @inlinable
  @inline(__always)
  func copy(except skipped: Int) -> Self { Self(owning: duplicate(except: skipped)) }

  @inlinable
  @inline(never)
  func duplicate(except skipped: Int) -> PageTreeNode {
    TableWork.note(.nodeCopied)
    let result = Self.allocate(capacity: Self.fanOut, header: Self.fanOut)
    let target = Self(borrowing: result).mutableElements
    target.initialize(from: elements, count: Self.fanOut)
    if skipped >= 0 { target[skipped] = nil }
    // The children are usually not cached, so all are loaded before any is retained.
    var isWhole = true
    for index in 0..<Self.fanOut {
      if let child = target[index], child.firstWord == 0 { isWhole = false }
    }
    guard isWhole else { return result }
    for index in 0..<Self.fanOut { target[index]?.retain() }
    return result
  }
}

/// Counts the work of tables in debug builds, so that tests can bound the nodes that an operation
/// visits or copies, where a clock would be unreliable.
@usableFromInline
package final class TableWork: @unchecked Sendable {
  // Unchecked: one task counts its own work, and a test does not share its counter with another
  // thread.

  /// The events that are counted.
  @usableFromInline
  package enum Event {
    /// A node was copied because an older version shares it.
    case nodeCopied
    /// A comparison or a difference visited a node.
    case nodeVisited
  }

  /// The number of copied nodes.
  package private(set) var copiedNodes = 0
  /// The number of nodes that a comparison or a difference visited.
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
