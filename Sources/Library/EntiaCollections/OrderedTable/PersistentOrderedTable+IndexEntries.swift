extension PersistentOrderedTable {
  /// Returns the index's entry for a place: the number of the leaf, and in the lowest bits the
  /// offset.
  ///
  /// The offset is only a hint, because changes in front of an element in its leaf do not update
  /// its entry. A look-up reads the element at the offset without waiting for the leaf's tags, and
  /// searches the tags only if it is another element.
  @inlinable
  @inline(__always)
  static func indexEntry(_ leaf: Int, _ offset: Int) -> Int {
    assert(offset < 1 &<< offsetBits)
    // An entry has 32 bits. More leaves fill more than 100 GB.
    precondition(leaf < 1 &<< (32 &- offsetBits), "An ordered table has too many elements")
    return leaf &<< offsetBits | offset
  }

  /// The number of bits of an offset in a leaf, which has at most 32 elements.
  @inlinable
  @inline(__always)
  static var offsetBits: Int { 5 }

  @inlinable
  @inline(__always)
  static func leaf(ofEntry entry: Int) -> Int { entry &>> offsetBits }

  /// Returns the offset of a key in the leaf of an entry, or -1.
  @inlinable
  @inline(__always)
  static func offset(of key: Key, tag: UInt32, in leaf: Leaf, entry: Int) -> Int {
    let hint = entry & (1 &<< offsetBits &- 1)
    // The search of the tags reads the same memory. The element is read before the tag has arrived,
    // because the processor predicts that the tags are equal.
    if hint < leaf.count, leaf.tags[hint] == tag, Layout.key(of: leaf.elements[hint]) == key {
      return hint
    }
    return leaf.offset(of: key, tag: tag, Layout.self)
  }

  /// Adds the entry for an element at a place.
  @inlinable
  @inline(__always)
  mutating func addToIndex(_ tag: UInt32, _ leaf: Int, _ offset: Int) {
    index.insert(tag, Self.indexEntry(leaf, offset))
  }

  /// Removes an entry for a tag and a leaf. Entries that differ only in the offset are equivalent.
  @inlinable
  mutating func removeFromIndex(_ tag: UInt32, _ leaf: Int) {
    index.remove(tag) { Self.leaf(ofEntry: $0) == leaf }
  }
}
