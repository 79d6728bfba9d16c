extension PersistentOrderedTable {
  /// Removes the element at a position.
  /// - Returns: The removed element.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*), including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func remove(at position: Int) -> Element {
    checkElement(at: position)
    return takeOut(place(at: position)).element
  }

  /// Removes the element with a key.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(log *n*) expected, including the copy of what an older version shares.
  @inlinable
  @discardableResult
  package mutating func remove(_ key: Key) -> Element? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return takeOut(place).element
  }

  /// Removes the elements at a range of positions.
  /// - Precondition: The range is within `0..<count`.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the range.
  @inlinable
  package mutating func removeSubrange(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    var rest = range.count
    if rest == count {
      removeAll()
      return
    }
    while rest > 0 {
      let place = place(at: range.lowerBound)
      let leaf = leaves.unique(place.leaf)
      let end = Swift.min(place.offset &+ rest, leaf.count)
      if isTree {
        // Not before the loop, because removals may rebuild the table.
        endRegularPrefix(at: range.lowerBound)
        for offset in place.offset..<end { removeFromIndex(leaf.tags[offset], place.leaf) }
      }
      leaf.removeSubrange(place.offset..<end)
      add(place.offset &- end, toLeaf: place.leaf, leaf)
      rest &-= end &- place.offset
      shrink(place.leaf, leaf)
    }
    checkInvariants()
  }

  /// Removes every element.
  /// - Complexity: O(1) if an older version shares the elements, else O(*n*) for releasing them.
  @inlinable
  package mutating func removeAll() {
    let flag = ownerFlag
    self = Self()
    ownerFlag = flag
  }

  /// Moves an element from one position to another.
  /// - Precondition: Both positions are at least 0 and less than `count`.
  /// - Complexity: O(log *n*), including the copy of what an older version shares.
  @inlinable
  package mutating func move(from position: Int, to target: Int) {
    checkElement(at: position)
    checkElement(at: target)
    if position == target { return }
    let (element, tag) = takeOut(place(at: position))
    put(element, tag: tag, at: target)
  }

  /// Exchanges the elements at two positions.
  /// - Precondition: Both positions are at least 0 and less than `count`.
  /// - Complexity: O(log *n*), including the copy of what an older version shares.
  @inlinable
  package mutating func swapAt(_ first: Int, _ second: Int) {
    checkElement(at: first)
    checkElement(at: second)
    if first == second { return }
    let a = place(at: first)
    let b = place(at: second)
    let aLeaf = leaves.unique(a.leaf)
    let bLeaf = leaves.unique(b.leaf)
    let aTag = aLeaf.tags[a.offset]
    let bTag = bLeaf.tags[b.offset]
    aLeaf.mutableTags[a.offset] = bTag
    bLeaf.mutableTags[b.offset] = aTag
    let element = (aLeaf.mutableElements + a.offset).move()
    (aLeaf.mutableElements + a.offset).moveInitialize(
      from: bLeaf.mutableElements + b.offset, count: 1)
    (bLeaf.mutableElements + b.offset).initialize(to: element)
    if a.leaf == b.leaf { return }
    removeFromIndex(aTag, a.leaf)
    removeFromIndex(bTag, b.leaf)
    addToIndex(aTag, b.leaf, b.offset)
    addToIndex(bTag, a.leaf, a.offset)
    checkInvariants()
  }

  @inlinable
  mutating func takeOut(_ place: OrderedPlace) -> (element: Element, tag: UInt32) {
    let leaf = leaves.unique(place.leaf)
    let tag = leaf.tags[place.offset]
    let element = (leaf.mutableElements + place.offset).move()
    close(place, leaf, tag: tag)
    return (element, tag)
  }

  /// Closes the gap of a moved element in a leaf that only this table owns.
  @inlinable
  mutating func close(_ place: OrderedPlace, _ leaf: Leaf, tag: UInt32) {
    leaf.close(at: place.offset)
    if isTree { removeFromIndex(tag, place.leaf) }
    add(-1, toLeaf: place.leaf, leaf)
    if isTree { updateRegularPrefix(removedAt: place) }
    shrink(place.leaf, leaf)
    checkInvariants()
  }
}
