/// A child of an inner node: its address, the number of elements below it, and the first of them.
@frozen
@usableFromInline
struct SortedBranch<Element> {
  /// The child; the branch owns one reference.
  @usableFromInline var child: NodePointer
  @usableFromInline var count: Int
  /// The first element below, stored here so that a search reads only nodes on its path.
  @usableFromInline var first: Element

  @inlinable
  @inline(__always)
  init(child: NodePointer, count: Int, first: Element) {
    self.child = child
    self.count = count
    self.first = first
  }
}

/// A node above the leaves. The header is the number of branches.
///
/// The class is generic over the branches and not over their elements, because a `deinit` is never
/// specialized and would look up the branch's type at run time.
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
  /// The number of bytes for the elements in a leaf. With the object's own words, this is within
  /// the fast size classes of the supported allocators.
  @inlinable
  @inline(__always)
  static var byteBudget: Int { 1_000 }

  /// Log2 of the number of branches in a full node. Wider nodes make reads faster, narrower ones
  /// copies.
  @inlinable
  @inline(__always)
  static var shift: Int { MemoryLayout<SortedBranch<Element>>.stride <= 60 ? 4 : 3 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// The minimum number of branches in every node except the last of each level.
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

  /// Returns a new node without branches. It takes two steps for the reason given at
  /// `SortedLeaves.make`.
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
    // The children are usually not cached. Loading a word of each before any is retained lets the
    // processor fetch them in parallel, which atomic operations would prevent. No object begins
    // with 0.
    var isWhole = true
    for index in 0..<count where source[index].child.load(as: UInt.self) == 0 { isWhole = false }
    guard isWhole else { return object }
    for index in 0..<count { retainNode(source[index].child) }
    header(result).pointee = count
    return object
  }

  /// Returns the number of elements below the node.
  @inlinable
  static func elementCount(_ node: NodePointer) -> Int {
    let branches = branches(node)
    var sum = 0
    for index in 0..<count(node) { sum &+= branches[index].count }
    return sum
  }
}
