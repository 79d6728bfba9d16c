extension SlotIndex {
  /// Reserves room for a total number of entries.
  @inlinable
  mutating func reserveCapacity(_ capacity: Int) {
    // A chunk counts as full at three quarters.
    let buckets = capacity / 6 &+ 1
    var chunkShift = IndexChunks.minimumShift
    while chunkShift < IndexChunks.maximumShift, buckets > 1 &<< chunkShift { chunkShift &+= 1 }
    var prefixBits = 0
    // Hashes are spread unevenly, so chunks that an even spread would fill completely are split
    // once more.
    while buckets &+ buckets / 8 > (1 &<< chunkShift) &<< prefixBits, prefixBits < 18 {
      prefixBits &+= 1
    }
    var reserved = SlotIndex()
    reserved.setRoot(
      owned(
        Self.makeTree(
          prefixBits: prefixBits, chunkShift: chunkShift,
          run: prefixBits == 0 ? IndexBranches.shift : 0)))
    if word != 0 {
      // The optimizer cannot see that the old root owns the words read here.
      let old = root
      Self.forEachEntry(word) { reserved.insert($0, $1) }
      withExtendedLifetime(old) {}
    }
    self = reserved
  }

  /// Returns an empty tree with one chunk for each value of the top tag bits.
  @inlinable
  @inline(never)
  static func makeTree(prefixBits: Int, chunkShift: Int, run: Int) -> IndexNode {
    if prefixBits == 0 { return IndexChunks.allocate(shift: chunkShift, run: run) }
    let branch = Unmanaged<IndexNode>.fromOpaque(makeBranch()).takeRetainedValue()
    let bits = Swift.min(prefixBits, IndexBranches.shift)
    let childRun = IndexBranches.shift &- bits
    for child in 0..<(1 &<< bits) {
      let node = makeTree(
        prefixBits: prefixBits &- bits, chunkShift: chunkShift, run: childRun)
      IndexBranches.setRun(
        borrowed(branch), at: child &<< childRun, run: childRun, to: owned(node))
    }
    return branch
  }

  @inlinable
  static func forEachEntry(_ word: UInt64, _ body: (UInt32, Int) -> Void) {
    let node = IndexNodes.node(word)
    if !IndexNodes.isBranch(word) {
      IndexChunks.forEachEntry(of: node, body)
      return
    }
    let words = IndexNodes.words(node)
    var previous: UInt64 = 0
    for index in 0..<IndexBranches.fanOut where words[index] != previous {
      previous = words[index]
      forEachEntry(previous, body)
    }
  }
}
