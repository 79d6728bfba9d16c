/// The kind of the nodes of a sorted tree: leaves at level 0, inner nodes above.
@usableFromInline
enum SortedTreeNode<Element>: SortedTreeNodeKind {}

@usableFromInline
protocol SortedTreeNodeKind {
  associatedtype Element
}

extension NodeRef where Kind: SortedTreeNodeKind {
  @inlinable
  @inline(__always)
  var leaf: SortedLeafHandle<Kind.Element> { cast() }

  @inlinable
  @inline(__always)
  var inner: SortedInnerHandle<Kind.Element> { cast() }
}

/// A child of an inner node: its address, the number of elements below it, and the first of them.
@frozen
@usableFromInline
struct SortedBranch<Element>: SortedBranchType {
  /// The child; the branch owns one reference.
  @usableFromInline var child: NodeRef<SortedTreeNode<Element>>
  @usableFromInline var count: Int
  /// The first element below, stored here so that a search reads only nodes on its path.
  @usableFromInline var first: Element

  @inlinable
  @inline(__always)
  init(child: NodeRef<SortedTreeNode<Element>>, count: Int, first: Element) {
    self.child = child
    self.count = count
    self.first = first
  }
}

/// A node above the leaves. The header is the number of branches.
///
/// The class is generic over `Branch` rather than over the type of the elements, because a `deinit`
/// is never specialized. Without `Branch`, the `deinit` would look up the type of the branches at
/// run time.
@usableFromInline
final class SortedInnerNode<Branch: SortedBranchType>: ManagedBuffer<Int, Branch>, SortedInnerKind {
  @usableFromInline typealias Element = Branch

  @inlinable
  deinit {
    let count = header
    withUnsafeMutablePointerToElements { branches in
      for index in 0..<count {
        // A branch begins with its child.
        UnsafeRawPointer(branches + index).load(as: AnyNode.self).release()
      }
      branches.deinitialize(count: count)
    }
  }
}

extension SortedInnerNode: CopyableNodeKind {
  @inlinable
  @inline(never)
  static func duplicate(_ node: NodeRef<SortedInnerNode>) -> SortedInnerNode {
    let object = NodeRef<SortedInnerNode>.allocate(
      capacity: NodeRef<SortedInnerNode>.fanOut, header: 0)
    let result = NodeRef(borrowing: object)
    let count = node.count
    let source = node.elements
    result.mutableElements.initialize(from: source, count: count)
    // The children are usually not cached, so all are loaded before any is retained.
    var isWhole = true
    for index in 0..<count where source[index].child.firstWord == 0 { isWhole = false }
    guard isWhole else { return object }
    for index in 0..<count { source[index].child.retain() }
    result.mutableHeader.pointee = count
    return object
  }
}

/// The constraint that the type `SortedBranch<Element>` satisfies for every `Element`.
@usableFromInline
protocol SortedBranchType {
  associatedtype Child
  var child: NodeRef<Child> { get }
  var count: Int { get }
}

/// The constraint that the class `SortedInnerNode<Branch>` satisfies for every `Branch`.
@usableFromInline
protocol SortedInnerKind: NodeKind where Header == Int, Element: SortedBranchType {}

@usableFromInline typealias SortedInnerHandle<Element> = NodeRef<
  SortedInnerNode<SortedBranch<Element>>
>

extension NodeRef where Kind: SortedInnerKind {
  /// Log2 of the number of branches in a full node. Wider nodes make reads faster, and narrower
  /// nodes make copies faster.
  @inlinable
  @inline(__always)
  static var shift: Int { MemoryLayout<Kind.Element>.stride <= 60 ? 4 : 3 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// The minimum number of branches in every node except the last of each level.
  @inlinable
  @inline(__always)
  static var minimum: Int { fanOut &* 3 / 8 }

  /// Creates a node without branches.
  @inlinable
  @inline(__always)
  static func make() -> Self { make(capacity: fanOut, header: 0) }

  @inlinable
  @inline(__always)
  var count: Int { header.pointee }

  /// The number of elements below the node.
  @inlinable
  var elementCount: Int {
    let branches = elements
    var sum = 0
    for index in 0..<count { sum &+= branches[index].count }
    return sum
  }
}
