/// A child of an inner node: its address, how many elements it leads to, and the first of them.
@frozen
@usableFromInline
struct SortedBranch<Element> {
  /// The child; the branch owns one reference.
  @usableFromInline var child: NodePointer
  @usableFromInline var count: Int
  /// The first element below, kept here so that a search looks only into nodes on its path.
  @usableFromInline var first: Element

  @inlinable
  @inline(__always)
  init(child: NodePointer, count: Int, first: Element) {
    self.child = child
    self.count = count
    self.first = first
  }
}

/// A node above the leaves; the header counts the branches.
///
/// Generic over the branches and not over their elements: a `deinit` is never specialized, and would
/// look the branch's type up at run time.
@usableFromInline
final class SortedNode<Branch>: ManagedBuffer<Int, Branch> {
  @inlinable
  deinit {
    let count = header
    withUnsafeMutablePointerToElements { branches in
      for index in 0..<count {
        // A branch begins with its child.
        releaseNode(UnsafeRawPointer(branches + index).load(as: NodePointer.self))
      }
      branches.deinitialize(count: count)
    }
  }
}

/// The operations on inner nodes of one element type.
@usableFromInline
enum SortedNodes<Element> {
  /// The bytes of elements in a node: with the node's own words, what the allocators at hand still
  /// give from their fast lists.
  @inlinable
  @inline(__always)
  static var byteBudget: Int { 1_000 }

  /// Log2 of the branches of a full node: wider nodes read faster, narrower ones copy faster.
  @inlinable
  @inline(__always)
  static var shift: Int { MemoryLayout<SortedBranch<Element>>.stride <= 60 ? 4 : 3 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// How many branches every node has at least, but for the last of each level.
  @inlinable
  @inline(__always)
  static var minimum: Int { fanOut &* 3 / 8 }

  @inlinable
  @inline(__always)
  static func branches(_ node: NodePointer) -> UnsafeMutablePointer<SortedBranch<Element>> {
    Unmanaged<SortedNode<SortedBranch<Element>>>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func header(_ node: NodePointer) -> UnsafeMutablePointer<Int> {
    Unmanaged<SortedNode<SortedBranch<Element>>>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func count(_ node: NodePointer) -> Int { header(node).pointee }

  /// Returns a new node without branches. (Why in two steps: `SortedLeaves.make`.)
  @inlinable
  @inline(__always)
  static func make() -> NodePointer { owned(allocate()) }

  @inlinable
  @inline(never)
  static func allocate() -> SortedNode<SortedBranch<Element>> {
    unsafeDowncast(
      SortedNode<SortedBranch<Element>>.create(minimumCapacity: fanOut) { _ in 0 },
      to: SortedNode<SortedBranch<Element>>.self)
  }

  @inlinable
  @inline(__always)
  static func copy(_ node: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    return owned(duplicate(node))
  }

  @inlinable
  @inline(never)
  static func duplicate(_ node: NodePointer) -> SortedNode<SortedBranch<Element>> {
    let object = allocate()
    let result = borrowed(object)
    let count = count(node)
    let source = branches(node)
    branches(result).initialize(from: source, count: count)
    // Children are out of the caches as a rule. To look at each before any is retained lets the
    // processor fetch them side by side, which atomic operations would not; no object begins with 0.
    var isWhole = true
    for index in 0..<count where source[index].child.load(as: UInt.self) == 0 { isWhole = false }
    guard isWhole else { return object }
    for index in 0..<count { retainNode(source[index].child) }
    header(result).pointee = count
    return object
  }

  /// How many elements the node leads to.
  @inlinable
  static func elementCount(_ node: NodePointer) -> Int {
    let branches = branches(node)
    var sum = 0
    for index in 0..<count(node) { sum &+= branches[index].count }
    return sum
  }
}
