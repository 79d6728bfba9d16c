/// A persistent sorted collection: a value whose copies cost nothing and share their structure.
///
/// A counted B+ tree: the leaves hold the elements, and inner nodes store the number and the first
/// of the elements below each child. A uniquely referenced tree is changed in place; a shared one
/// copies one path. Elements are numbered from 0 in order; an element's number is its rank.
///
/// ```swift
/// var years = SortedTree<KeyThenID<Int, String>>()
/// years.insert(SortedEntry(key: 1967, id: "b1"))
/// years.insert(SortedEntry(key: 1984, id: "b2"))
/// years.slice(from: .including(1960), to: .excluding(1970)).map(\.id)  // ["b1"]
/// ```
@frozen
public struct SortedTree<Layout: SortedElements> {
  /// The type of the elements.
  public typealias Element = Layout.Element
  /// The type of the keys.
  public typealias Key = Layout.Key

  @usableFromInline typealias Leaf = SortedLeafHandle<Element>
  @usableFromInline typealias Inner = SortedInnerHandle<Element>
  @usableFromInline typealias Branch = SortedBranch<Element>
  @usableFromInline typealias Node = NodeRef<SortedTreeNode<Element>>

  /// A leaf when the height is 0, an inner node otherwise; `nil` in an empty tree.
  @usableFromInline var root: AnyObject?
  /// The number of levels of inner nodes.
  @usableFromInline var height: Int
  @usableFromInline var elementCount: Int

  /// Creates an empty tree.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() {
    root = nil
    height = 0
    elementCount = 0
  }

  /// Takes ownership of the only reference to a root.
  @inlinable
  init(root: Node, height: Int, count: Int) {
    self.root = root.cast(to: AnyNode.self).takeObject()
    self.height = height
    elementCount = count
  }

  /// The root of a tree that is not empty.
  @inlinable
  @inline(__always)
  var rootNode: Node { AnyNode(borrowing: root.unsafelyUnwrapped).cast() }

  /// The number of elements.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { elementCount }

  /// Whether there are no elements.
  /// - Complexity: O(1).
  @inlinable
  public var isEmpty: Bool { elementCount == 0 }

  /// Whether two trees are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { root === other.root }
}

// Nodes are changed only while uniquely referenced, so sharing them between threads is safe.
extension SortedTree: @unchecked Sendable where Layout.Element: Sendable {}
