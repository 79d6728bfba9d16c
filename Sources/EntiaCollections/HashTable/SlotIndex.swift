/// A persistent map from hash tags to slot numbers.
///
/// Chunks of plain words under a trie indexed by the top bits of the tag. It holds neither keys nor
/// elements: changing an element in place never touches it, and copying a chunk is copying memory.
@frozen
@usableFromInline
struct SlotIndex {
  /// Keeps alive what `word` leads to.
  @usableFromInline var root: IndexNode?
  /// The word of the root; 0 in an empty index.
  @usableFromInline var word: UInt64

  @inlinable
  init() {
    root = nil
    word = 0
  }

  /// The part of a hash that the index keeps.
  @inlinable
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// The shift of the root's tag bits.
  @inlinable
  @inline(__always)
  static var topShift: UInt32 { 26 }

  @inlinable
  @inline(__always)
  static func entry(_ tag: UInt32, _ slot: Int) -> UInt64 {
    UInt64(tag) &<< 32 | UInt64(truncatingIfNeeded: slot &+ 1)
  }

  @inlinable
  @inline(__always)
  static func slot(_ entry: UInt64) -> Int {
    Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: entry)) &- 1
  }

  @inlinable
  @inline(__always)
  static func tag(ofEntry entry: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: entry &>> 32)
  }

  /// The word of the chunk that holds the tag's entries; 0 in an empty index.
  @inlinable
  @inline(__always)
  func chunkWord(_ tag: UInt32) -> UInt64 {
    var word = word
    if word == 0 { return 0 }
    var shift = Self.topShift
    while IndexNodes.isBranch(word) {
      word = IndexNodes.words(IndexNodes.node(word))[IndexBranches.child(of: tag, shift: shift)]
      shift &-= UInt32(truncatingIfNeeded: IndexBranches.shift)
    }
    return word
  }

  /// Returns the slot with this tag that `matches` accepts, or -1.
  @inlinable
  @inline(__always)
  func find(_ tag: UInt32, _ matches: (Int) -> Bool) -> Int {
    let word = chunkWord(tag)
    if word == 0 { return -1 }
    let mask = IndexChunks.mask(word)
    let entries = IndexNodes.words(IndexNodes.node(word))
    var position = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = entries[position]
      if entry == 0 { return -1 }
      if Self.tag(ofEntry: entry) == tag {
        let slot = Self.slot(entry)
        if matches(slot) { return slot }
      }
      position = (position &+ 1) & mask
    }
  }

  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Int) {
    while true {
      let chunk = uniqueChunk(tag, growing: true)
      if let chunk {
        IndexChunks.put(Self.entry(tag, slot), into: chunk)
        return
      }
    }
  }

  @inlinable
  mutating func remove(_ tag: UInt32, _ slot: Int) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    IndexChunks.remove(Self.entry(tag, slot), from: chunk)
  }

  /// Points the tag's entry for one slot at another slot.
  @inlinable
  mutating func move(_ tag: UInt32, from slot: Int, to target: Int) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    let mask = IndexChunks.mask(of: chunk)
    let entries = IndexNodes.words(chunk)
    let entry = Self.entry(tag, slot)
    var position = Int(truncatingIfNeeded: tag) & mask
    while entries[position] != entry { position = (position &+ 1) & mask }
    entries[position] = Self.entry(tag, target)
  }
}

extension SlotIndex {
  @inlinable
  @inline(__always)
  mutating func setRoot(_ node: NodePointer) {
    word = IndexNodes.word(node)
    root = Unmanaged<IndexNode>.fromOpaque(node).takeRetainedValue()
  }

  /// Makes the path to the tag's chunk this index's own and returns the chunk; `nil` when it was full
  /// and room has been made, after which the caller asks again.
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
    // Nothing else tells the optimizer that the words copied here are the old root's.
    let old = root
    setRoot(IndexNodes.copy(IndexNodes.node(word)))
    withExtendedLifetime(old) {}
  }

  /// Grows the chunk that is the whole index, or puts a branch above its halves.
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
        IndexHeader(run: 0, shift: Int8(truncatingIfNeeded: IndexBranches.shift), isBranch: true)))
  }

  /// Returns a chunk with the entries of another and twice its room.
  @inlinable
  @inline(__always)
  static func grown(_ chunk: NodePointer) -> NodePointer {
    let header = IndexNodes.header(chunk).pointee
    let result = IndexChunks.make(shift: Int(header.shift) &+ 1, run: Int(header.run))
    IndexChunks.refill(result, from: chunk)
    return result
  }

  /// Grows a full chunk, or splits it by the next tag bit; equal tags end up in one growing chunk.
  @inlinable
  @inline(never)
  static func makeRoom(in branch: NodePointer, at index: Int, chunk: NodePointer, shift: Int) {
    let header = IndexNodes.header(chunk).pointee
    let oldRun = Int(header.run)
    let bit = shift &+ oldRun &- 1
    if Int(header.shift) < IndexChunks.maximumShift || bit < IndexChunks.maximumShift {
      IndexBranches.setRun(branch, at: index, run: oldRun, to: grown(chunk))
    } else {
      let run = oldRun == 0 ? IndexBranches.shift &- 1 : oldRun &- 1
      let low = IndexChunks.make(shift: Int(header.shift), run: run)
      let high = IndexChunks.make(shift: Int(header.shift), run: run)
      let mask: UInt64 = 1 &<< UInt64(32 &+ bit)
      IndexChunks.refill(low, from: chunk, bit: mask, value: 0)
      IndexChunks.refill(high, from: chunk, bit: mask, value: mask)
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
