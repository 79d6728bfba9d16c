extension PersistentOrderedTable {
  /// The keys in the order of their elements, without the elements.
  ///
  /// The order tree and the index refer to elements by leaves and tags, so they are shared. The
  /// leaves are copied, without hashing a key.
  /// - Complexity: O(*n*).
  @inlinable
  var keys: PersistentOrderedTable<SelfKeyed<Key>> {
    var result = PersistentOrderedTable<SelfKeyed<Key>>()
    let isTree = isTree
    // A leaf has room for at least as many keys as elements, because keys are not larger.
    result.leaves = leaves.map { Self.keyLeaf(of: $0, isFullSize: isTree) }
    result.liveCount = liveCount
    result.branches = branches
    result.index = index
    return result
  }

  /// Returns a leaf of the keys of a leaf's elements.
  @inlinable
  static func keyLeaf(of leaf: NodePointer, isFullSize: Bool) -> NodePointer {
    typealias KeyLeaves = OrderedLeaves<Key>
    let count = Leaves.count(leaf)
    let header = Leaves.header(leaf).pointee
    let result = KeyLeaves.make(
      room: isFullSize ? KeyLeaves.capacity : Int(truncatingIfNeeded: header.room))
    KeyLeaves.header(result).pointee.count = header.count
    KeyLeaves.header(result).pointee.parent = header.parent
    KeyLeaves.tags(result).update(from: Leaves.tags(leaf), count: count)
    let elements = Leaves.elements(leaf)
    let keys = KeyLeaves.elements(result)
    for offset in 0..<count {
      (keys + offset).initialize(to: Layout.key(of: elements[offset]))
    }
    return result
  }
}
