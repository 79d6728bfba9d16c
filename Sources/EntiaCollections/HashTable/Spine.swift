/// An inner node of the page tree. The header is the number of children, any of which may be
/// missing.
@usableFromInline
final class Spine: ManagedBuffer<Int, NodePointer?> {
  @inlinable
  deinit {
    let count = header
    withUnsafeMutablePointerToElements { children in
      for index in 0..<count {
        if let child = children[index] { releaseNode(child) }
      }
    }
  }
}

/// The operations on spine nodes.
@usableFromInline
enum Spines {
  /// Log2 of the number of children of a node. Wider nodes make reads faster, narrower ones copies.
  @inlinable
  @inline(__always)
  static var shift: Int { 4 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  @inlinable
  @inline(__always)
  static func children(_ node: NodePointer) -> UnsafeMutablePointer<NodePointer?> {
    Unmanaged<Spine>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  /// Returns the index of the child that holds the slot, in a node whose children each cover
  /// `1 << shift` slots.
  @inlinable
  @inline(__always)
  static func child(of slot: Int, shift: Int) -> Int { (slot &>> shift) & (fanOut &- 1) }

  /// Returns the child that holds the slot, which must exist, of a node whose children each cover
  /// `1 << shift` slots.
  @inlinable
  @inline(__always)
  static func child(of node: NodePointer, _ slot: Int, shift: Int) -> NodePointer {
    children(node)[child(of: slot, shift: shift)].unsafelyUnwrapped
  }

  /// Returns the number of children.
  @inlinable
  static func childCount(of node: NodePointer) -> Int {
    let children = children(node)
    var count = 0
    for index in 0..<fanOut where children[index] != nil { count &+= 1 }
    return count
  }

  /// Returns a node without children. It takes two steps for the reason given at `owned`.
  @inlinable
  @inline(__always)
  static func make() -> NodePointer { owned(allocate()) }

  @inlinable
  @inline(never)
  static func allocate() -> Spine {
    let node = unsafeDowncast(
      Spine.create(minimumCapacity: fanOut) { _ in fanOut }, to: Spine.self)
    children(borrowed(node)).initialize(repeating: nil, count: fanOut)
    return node
  }

  /// Copies a node without the child that the caller replaces next (-1: with all children).
  @inlinable
  @inline(__always)
  static func copy(_ node: NodePointer, except skipped: Int) -> NodePointer {
    owned(duplicate(node, except: skipped))
  }

  @inlinable
  @inline(never)
  static func duplicate(_ node: NodePointer, except skipped: Int) -> Spine {
    TableWork.note(.nodeCopied)
    let result = unsafeDowncast(
      Spine.create(minimumCapacity: fanOut) { _ in fanOut }, to: Spine.self)
    let source = children(node)
    let target = children(borrowed(result))
    target.initialize(from: source, count: fanOut)
    if skipped >= 0 { target[skipped] = nil }
    // The children are usually not cached. Loading a word of each before any is retained lets the
    // processor fetch them in parallel, which atomic operations would prevent. No object begins
    // with 0.
    var isWhole = true
    for index in 0..<fanOut {
      if let child = target[index], child.load(as: UInt.self) == 0 { isWhole = false }
    }
    guard isWhole else { return result }
    for index in 0..<fanOut {
      if let child = target[index] { retainNode(child) }
    }
    return result
  }
}
