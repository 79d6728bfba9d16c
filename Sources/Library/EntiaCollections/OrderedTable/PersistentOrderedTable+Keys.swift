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
  static func keyLeaf(of leaf: Leaf, isFullSize: Bool) -> OrderedLeafHandle<Key> {
    typealias KeyLeaf = OrderedLeafHandle<Key>
    let count = leaf.count
    let header = leaf.header.pointee
    let result = KeyLeaf.make(
      room: isFullSize ? KeyLeaf.capacity : Int(truncatingIfNeeded: header.room))
    result.mutableHeader.pointee.count = header.count
    result.mutableHeader.pointee.parent = header.parent
    result.mutableTags.update(from: leaf.tags, count: count)
    let elements = leaf.elements
    let keys = result.mutableElements
    for offset in 0..<count {
      (keys + offset).initialize(to: Layout.key(of: elements[offset]))
    }
    return result
  }
}
