/// A persistent map from hash tags to slot numbers.
///
/// The index is a trie of chunks of plain bytes, indexed by the top bits of the tag. It holds
/// neither keys nor elements: changing an element in place never affects it, and copying a chunk
/// copies plain memory.
@frozen
@usableFromInline
struct SlotIndex {
  /// Keeps the node alive that `word` refers to.
  @usableFromInline var root: IndexNode?
  /// The word that refers to the root; 0 in an empty index.
  @usableFromInline var word: UInt64

  @inlinable
  init() {
    root = nil
    word = 0
  }

  /// Returns the part of a hash that the index stores: 31 bits.
  @inlinable
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 33) }

  /// The shift of the root's tag bits.
  @inlinable
  @inline(__always)
  static var topShift: UInt32 { 25 }

  /// Returns the word of the chunk that holds the tag's entries; 0 in an empty index.
  @inlinable
  @inline(__always)
  static func chunkWord(_ tag: UInt32, below root: UInt64) -> UInt64 {
    var word = root
    if word == 0 { return 0 }
    var shift = topShift
    while IndexNodes.isBranch(word) {
      word = IndexNodes.words(IndexNodes.node(word))[IndexBranches.child(of: tag, shift: shift)]
      shift &-= UInt32(truncatingIfNeeded: IndexBranches.shift)
    }
    return word
  }

  /// Returns the slot with this tag that `matches` accepts, or -1.
  @inlinable
  @inline(__always)
  func find(_ tag: UInt32, _ matches: (Int) -> Bool) -> Int { findEntry(tag, matches).slot }

  @inlinable
  @inline(__always)
  func findEntry(_ tag: UInt32, _ matches: (Int) -> Bool) -> (slot: Int, entry: Int) {
    Self.findEntry(tag, below: word, matches)
  }

  /// Returns the slot with this tag that `matches` accepts, or -1, and the position of the entry in
  /// its chunk: eight times its bucket's index, plus its place.
  @inlinable
  @inline(__always)
  static func findEntry(
    _ tag: UInt32, below root: UInt64, _ matches: (Int) -> Bool
  ) -> (slot: Int, entry: Int) {
    let word = chunkWord(tag, below: root)
    if word == 0 { return (-1, 0) }
    let mask = IndexChunks.mask(word)
    let buckets = IndexChunks.buckets(IndexNodes.node(word))
    let pattern = IndexBuckets.pattern(tag)
    let rest = IndexBuckets.rest(ofTag: tag)
    var index = IndexChunks.home(tag, mask)
    while true {
      let bucket = buckets + index &* IndexBuckets.size
      let marks = IndexBuckets.marks(bucket)
      var candidates = IndexBuckets.candidates(marks, pattern)
      while candidates != 0 {
        let place = IndexBuckets.place(candidates)
        if IndexBuckets.rest(bucket, place) == rest {
          let slot = IndexBuckets.slot(bucket, place)
          if matches(slot) { return (slot, index &<< 3 | place) }
        }
        candidates &= candidates &- 1
      }
      if IndexBuckets.free(marks) != 0 { return (-1, 0) }
      index = (index &+ 1) & mask
    }
  }

  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Int) {
    while true {
      let chunk = uniqueChunk(tag, growing: true)
      if let chunk {
        IndexChunks.put(tag, slot, into: chunk)
        return
      }
    }
  }

  /// Removes the tag's entry for a slot, which must exist.
  @inlinable
  mutating func remove(_ tag: UInt32, _ slot: Int) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    let found = IndexChunks.locate(tag, slot, in: chunk)
    IndexChunks.remove(found.index &<< 3 | found.place, from: chunk)
  }

  /// Removes the tag's entry that `findEntry` returned.
  @inlinable
  mutating func remove(_ tag: UInt32, entry: Int) {
    // A copy of a chunk has its entries at the same positions.
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    IndexChunks.remove(entry, from: chunk)
  }

  /// Changes the slot of a tag's entry.
  @inlinable
  mutating func move(_ tag: UInt32, from slot: Int, to target: Int) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    let found = IndexChunks.locate(tag, slot, in: chunk)
    IndexBuckets.setSlot(
      IndexChunks.buckets(chunk) + found.index &* IndexBuckets.size, found.place, target)
  }
}

extension SlotIndex {
  @inlinable
  @inline(__always)
  mutating func setRoot(_ node: NodePointer) {
    word = IndexNodes.word(node)
    root = Unmanaged<IndexNode>.fromOpaque(node).takeRetainedValue()
  }

  /// Ensures a unique path to the tag's chunk and returns the chunk. If the chunk was full, makes
  /// room and returns `nil`; the caller then repeats the call.
  @inlinable
  @inline(__always)
  mutating func uniqueChunk(_ tag: UInt32, growing: Bool) -> NodePointer? {
    if word == 0 {
      setRoot(IndexChunks.make(shift: IndexChunks.minimumShift, run: IndexBranches.shift))
    }
    if !IndexNodes.isBranch(word) {
      let chunk = IndexNodes.node(word)
      if growing, IndexChunks.isFull(chunk) {
        makeRoomInRoot()
        return nil
      }
      if isKnownUniquelyReferenced(&root) { return chunk }
      copyRoot()
      return IndexNodes.node(word)
    }
    if !isKnownUniquelyReferenced(&root) { copyRoot() }
    var branch = IndexNodes.node(word)
    var shift = Self.topShift
    while true {
      let index = IndexBranches.child(of: tag, shift: shift)
      let word = IndexNodes.words(branch)[index]
      let child = IndexNodes.node(word)
      if IndexNodes.isBranch(word) {
        branch =
          isUniqueNode(child) ? child : Self.replaceByCopy(child, in: branch, at: index, run: 0)
        shift &-= UInt32(truncatingIfNeeded: IndexBranches.shift)
        continue
      }
      if growing, IndexChunks.isFull(child) {
        Self.makeRoom(in: branch, at: index, chunk: child, shift: Int(shift))
        return nil
      }
      if isUniqueNode(child) { return child }
      let run = Int(IndexNodes.header(child).pointee.run)
      return Self.replaceByCopy(child, in: branch, at: index, run: run)
    }
  }

  @inlinable
  @inline(never)
  static func replaceByCopy(
    _ node: NodePointer, in branch: NodePointer, at index: Int, run: Int
  ) -> NodePointer {
    let copy = IndexNodes.copy(node)
    IndexBranches.setRun(branch, at: index, run: run, to: copy)
    releaseNode(node)
    return copy
  }

  @inlinable
  @inline(never)
  mutating func copyRoot() {
    // The optimizer cannot see that the old root owns the words copied here.
    let old = root
    setRoot(IndexNodes.copy(IndexNodes.node(word)))
    withExtendedLifetime(old) {}
  }

  /// Grows the chunk that is the whole index, or splits it below a new branch.
  @inlinable
  @inline(never)
  mutating func makeRoomInRoot() {
    let old = root
    defer { withExtendedLifetime(old) {} }
    let chunk = IndexNodes.node(word)
    let shift = Int(IndexNodes.header(chunk).pointee.shift)
    if shift < IndexChunks.maximumShift {
      setRoot(Self.grown(chunk))
      return
    }
    let branch = Self.makeBranch()
    retainNode(chunk)
    IndexBranches.setRun(branch, at: 0, run: IndexBranches.shift, to: chunk)
    setRoot(branch)
    Self.makeRoom(in: branch, at: 0, chunk: chunk, shift: Int(Self.topShift))
  }

  @inlinable
  @inline(__always)
  static func makeBranch() -> NodePointer {
    owned(
      IndexNodes.allocate(
        IndexHeader(run: 0, shift: 0, isBranch: true)))
  }

  /// Returns a chunk with the entries of another and twice its number of buckets.
  @inlinable
  @inline(__always)
  static func grown(_ chunk: NodePointer) -> NodePointer {
    let header = IndexNodes.header(chunk).pointee
    let result = IndexChunks.make(shift: Int(header.shift) &+ 1, run: Int(header.run))
    let buckets = IndexChunks.buckets(result)
    let mask = IndexChunks.mask(of: result)
    IndexChunks.forEachEntry(of: chunk) {
      IndexChunks.place($0, $1, into: buckets, mask: mask)
    }
    IndexNodes.header(result).pointee.count = header.count
    return result
  }

  /// Grows a full chunk, or splits it by the next tag bit. Entries with equal tags end up in one
  /// growing chunk.
  @inlinable
  @inline(never)
  static func makeRoom(in branch: NodePointer, at index: Int, chunk: NodePointer, shift: Int) {
    let header = IndexNodes.header(chunk).pointee
    let oldRun = Int(header.run)
    let bit = shift &+ oldRun &- 1
    if Int(header.shift) < IndexChunks.maximumShift || bit < IndexChunks.lowestSplitBit {
      IndexBranches.setRun(branch, at: index, run: oldRun, to: grown(chunk))
    } else {
      let run = oldRun == 0 ? IndexBranches.shift &- 1 : oldRun &- 1
      let low = IndexChunks.make(shift: Int(header.shift), run: run)
      let high = IndexChunks.make(shift: Int(header.shift), run: run)
      IndexChunks.forEachEntry(of: chunk) {
        IndexChunks.put($0, $1, into: ($0 &>> UInt32(bit)) & 1 == 0 ? low : high)
      }
      split(branch, at: index, from: oldRun, into: run, low: low, high: high)
    }
    releaseNode(chunk)
  }

  @inlinable
  static func split(
    _ branch: NodePointer, at index: Int, from oldRun: Int, into run: Int, low: NodePointer,
    high: NodePointer
  ) {
    var target = branch
    var start = index & ~((1 &<< oldRun) &- 1)
    if oldRun == 0 {
      target = makeBranch()
      start = 0
    }
    IndexBranches.setRun(target, at: start, run: run, to: low)
    IndexBranches.setRun(target, at: start &+ (1 &<< run), run: run, to: high)
    if oldRun == 0 {
      IndexBranches.setRun(branch, at: index, run: 0, to: target)
    }
  }
}
