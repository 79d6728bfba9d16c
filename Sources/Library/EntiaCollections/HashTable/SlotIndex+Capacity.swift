extension SlotIndex {
  /// Reserves room for a total number of entries.
  @inlinable
  mutating func reserveCapacity(_ capacity: Int) {
    // A chunk counts as full at three quarters.
    let buckets = capacity / 6 &+ 1
    var chunkShift = Chunk.minimumShift
    while chunkShift < Chunk.maximumShift, buckets > 1 &<< chunkShift { chunkShift &+= 1 }
    var prefixBits = 0
    // Hashes are spread unevenly, so chunks that an even spread would fill completely are split
    // once more.
    while buckets &+ buckets / 8 > (1 &<< chunkShift) &<< prefixBits, prefixBits < 18 {
      prefixBits &+= 1
    }
    var reserved = SlotIndex()
    reserved.setRoot(
      Self.word(
        owning: Self.makeTree(
          prefixBits: prefixBits, chunkShift: chunkShift, run: prefixBits == 0 ? Branch.shift : 0),
        prefixBits: prefixBits))
    if !word.isNone {
      // The optimizer cannot see that the old root owns the words read here.
      let old = root
      Self.forEachEntry(word) { reserved.insert($0, $1) }
      withExtendedLifetime(old) {}
    }
    self = reserved
  }

  /// Returns an empty tree with one chunk for each value of the top tag bits. It returns an object
  /// for the reason given at `NodeRef.init(owning:)`.
  @inlinable
  @inline(never)
  static func makeTree(prefixBits: Int, chunkShift: Int, run: Int) -> IndexNode {
    if prefixBits == 0 { return Chunk.allocate(shift: chunkShift, run: run) }
    let branch = Branch.allocate()
    let bits = Swift.min(prefixBits, Branch.shift)
    let childRun = Branch.shift &- bits
    for child in 0..<(1 &<< bits) {
      let node = makeTree(
        prefixBits: prefixBits &- bits, chunkShift: chunkShift, run: childRun)
      Branch(borrowing: branch).setRun(
        at: child &<< childRun, run: childRun,
        to: word(owning: node, prefixBits: prefixBits &- bits))
    }
    return branch
  }

  @inlinable
  @inline(__always)
  static func word(owning tree: IndexNode, prefixBits: Int) -> IndexWord {
    let node = NodeRef(owning: tree)
    return prefixBits == 0
      ? IndexWord(node.cast(to: Chunk.self)) : IndexWord(node.cast(to: Branch.self))
  }

  @inlinable
  static func forEachEntry(_ word: IndexWord, _ body: (UInt32, Int) -> Void) {
    if word.isBranch {
      word.branch.forEachChild { forEachEntry($0, body) }
    } else {
      word.chunk.forEachEntry(body)
    }
  }
}
