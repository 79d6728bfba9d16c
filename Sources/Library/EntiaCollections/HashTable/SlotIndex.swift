/// A persistent map from hash tags to slot numbers.
///
/// The index is a trie of chunks of plain bytes, indexed by the top bits of the tag. It holds
/// neither keys nor elements. Changing an element in place therefore never changes the index, and
/// copying a chunk copies plain memory.
@frozen
@usableFromInline
struct SlotIndex {
  @usableFromInline typealias Branch = NodeRef<IndexBranch>
  @usableFromInline typealias Chunk = NodeRef<IndexChunk>

  /// Keeps the node alive that `word` refers to.
  @usableFromInline var root: IndexNode?
  /// The word that refers to the root, or to no node in an empty index.
  @usableFromInline var word: IndexWord

  @inlinable
  init() {
    root = nil
    word = .none
  }

  /// Returns the part of a hash that the index stores: 31 bits.
  @inlinable
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 33) }

  /// The number of bits by which a tag is shifted right to index the root.
  @inlinable
  @inline(__always)
  static var topShift: UInt32 { 25 }

  /// Returns the word of the chunk that holds the tag's entries, or none in an empty index.
  @inlinable
  @inline(__always)
  static func chunkWord(_ tag: UInt32, below root: IndexWord) -> IndexWord {
    var word = root
    if word.isNone { return .none }
    var shift = topShift
    while word.isBranch {
      word = word.branch.elements[Branch.index(of: tag, shift: shift)]
      shift &-= UInt32(truncatingIfNeeded: Branch.shift)
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

  /// Searches for the slot that has this tag and is accepted by `matches`.
  ///
  /// `matches` must compare the key, because it may be called with a slot of another tag.
  /// - Returns: `slot` is the slot, or -1 if there is none. `entry` is a position in the chunk:
  ///   eight times the index of a bucket, plus a place in the bucket. If a slot is found, its entry
  ///   is at this position. Otherwise, the position is in a bucket with room for a new entry, or 0
  ///   if the tag has no chunk.
  @inlinable
  @inline(__always)
  static func findEntry(
    _ tag: UInt32, below root: IndexWord, _ matches: (Int) -> Bool
  ) -> (slot: Int, entry: Int) {
    let word = chunkWord(tag, below: root)
    if word.isNone { return (-1, 0) }
    let mask = word.chunkMask
    let buckets = word.chunk.buckets
    let pattern = IndexBucket.pattern(tag)
    let rest = IndexBucket.rest(ofTag: tag)
    var index = Chunk.home(tag, mask)
    while true {
      let bucket = IndexBucket(at: index, of: buckets)
      let free = bucket.free
      var candidates = bucket.candidates(pattern)
      while candidates != 0 {
        let place = IndexBucket.place(candidates)
        if bucket.rest(place) == rest {
          let slot = bucket.slot(place)
          if matches(slot) { return (slot, index &<< 3 | place) }
        }
        candidates &= candidates &- 1
      }
      if free != 0 { return (-1, index &<< 3) }
      index = (index &+ 1) & mask
    }
  }

  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Int) {
    while true {
      let chunk = uniqueChunk(tag, growing: true)
      if let chunk {
        chunk.insert(tag, slot)
        return
      }
    }
  }

  /// Stores an entry.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - slot: The slot.
  ///   - entry: The position that `findEntry` returned for the missing entry.
  @inlinable
  @inline(__always)
  mutating func insert(_ tag: UInt32, _ slot: Int, near entry: Int) {
    guard let chunk = ownedChunk(tag), !chunk.isFull else {
      insert(tag, slot)
      return
    }
    chunk.insert(tag, slot, near: entry)
  }

  /// Stores an entry in an index of which no node is shared.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - slot: The slot.
  ///   - entry: The position that `findEntry` returned for the missing entry.
  @inlinable
  @inline(__always)
  mutating func insertUnshared(_ tag: UInt32, _ slot: Int, near entry: Int) {
    let word = Self.chunkWord(tag, below: word)
    if word.isNone || word.chunk.isFull {
      insert(tag, slot)
      return
    }
    word.chunk.insert(tag, slot, near: entry)
  }

  /// Removes the entry that has the given tag and a slot accepted by `matches`. The entry must
  /// exist.
  @inlinable
  mutating func remove(_ tag: UInt32, where matches: (Int) -> Bool) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    let found = chunk.locate(tag, matches)
    chunk.remove(found.index &<< 3 | found.place)
  }

  /// Removes the entry with a tag at the position that `findEntry` returned.
  @inlinable
  @inline(__always)
  mutating func remove(_ tag: UInt32, entry: Int) {
    // The position is also valid in a copy of the chunk, which has its entries at equal positions.
    (ownedChunk(tag) ?? copiedChunk(tag)).remove(entry)
  }

  /// Changes the slot of a tag's entry.
  @inlinable
  mutating func move(_ tag: UInt32, from slot: Int, to target: Int) {
    guard let chunk = uniqueChunk(tag, growing: false) else { return }
    let found = chunk.locate(tag) { $0 == slot }
    IndexBucket(at: found.index, of: chunk.mutableBuckets).setSlot(found.place, target)
  }
}

extension SlotIndex {
  /// Takes ownership of the reference of a new root.
  @inlinable
  @inline(__always)
  mutating func setRoot(_ word: IndexWord) {
    self.word = word
    root = word.node.takeObject()
  }

  /// Returns the tag's chunk, if it exists and is not shared.
  @inlinable
  @inline(__always)
  mutating func ownedChunk(_ tag: UInt32) -> Chunk? {
    if !isKnownUniquelyReferenced(&root) { return nil }
    var word = word
    var shift = Self.topShift
    while word.isBranch {
      word = word.branch.elements[Branch.index(of: tag, shift: shift)]
      if !word.node.isUnique { return nil }
      shift &-= UInt32(truncatingIfNeeded: Branch.shift)
    }
    return word.chunk
  }

  /// Returns the tag's chunk, which must exist, after copying what is shared on the path to it.
  @inlinable
  @inline(never)
  mutating func copiedChunk(_ tag: UInt32) -> Chunk {
    uniqueChunk(tag, growing: false).unsafelyUnwrapped
  }

  /// Ensures a unique path to the tag's chunk and returns the chunk. If the chunk was full, makes
  /// room and returns `nil`; the caller then repeats the call.
  @inlinable
  @inline(__always)
  mutating func uniqueChunk(_ tag: UInt32, growing: Bool) -> Chunk? {
    if word.isNone {
      setRoot(IndexWord(Chunk.make(shift: Chunk.minimumShift, run: Branch.shift)))
    }
    if !word.isBranch {
      if growing, word.chunk.isFull {
        makeRoomInRoot()
        return nil
      }
      if !isKnownUniquelyReferenced(&root) { copyRoot() }
      return word.chunk
    }
    if !isKnownUniquelyReferenced(&root) { copyRoot() }
    var branch = word.branch
    var shift = Self.topShift
    while true {
      let index = Branch.index(of: tag, shift: shift)
      let word = branch.elements[index]
      if word.isBranch {
        if !word.node.isUnique {
          branch = Self.replaceByCopy(word, in: branch, at: index, run: 0).branch
        } else {
          branch = word.branch
        }
        shift &-= UInt32(truncatingIfNeeded: Branch.shift)
        continue
      }
      let chunk = word.chunk
      if growing, chunk.isFull {
        Self.makeRoom(in: branch, at: index, chunk: chunk, shift: Int(shift))
        return nil
      }
      if chunk.isUnique { return chunk }
      let run = Int(chunk.header.pointee.run)
      return Self.replaceByCopy(word, in: branch, at: index, run: run).chunk
    }
  }

  @inlinable
  @inline(never)
  static func replaceByCopy(
    _ word: IndexWord, in branch: Branch, at index: Int, run: Int
  ) -> IndexWord {
    let copy = word.copy()
    branch.setRun(at: index, run: run, to: copy)
    word.node.release()
    return copy
  }

  @inlinable
  @inline(never)
  mutating func copyRoot() {
    // The optimizer cannot see that the old root owns the words copied here.
    let old = root
    setRoot(word.copy())
    withExtendedLifetime(old) {}
  }

  /// Grows the chunk that is the whole index, or splits it below a new branch.
  @inlinable
  @inline(never)
  mutating func makeRoomInRoot() {
    let old = root
    defer { withExtendedLifetime(old) {} }
    let chunk = word.chunk
    if Int(chunk.header.pointee.shift) < Chunk.maximumShift {
      setRoot(IndexWord(Self.grown(chunk)))
      return
    }
    let branch = Branch.make()
    chunk.retain()
    branch.setRun(at: 0, run: Branch.shift, to: IndexWord(chunk))
    setRoot(IndexWord(branch))
    Self.makeRoom(in: branch, at: 0, chunk: chunk, shift: Int(Self.topShift))
  }

  /// Returns a chunk with the entries of `chunk` and twice as many buckets.
  @inlinable
  @inline(__always)
  static func grown(_ chunk: Chunk) -> Chunk {
    let header = chunk.header.pointee
    let result = Chunk.make(shift: Int(header.shift) &+ 1, run: Int(header.run))
    let buckets = result.mutableBuckets
    _ = chunk.distribute(to: buckets, buckets, mask: result.mask, bit: 7)
    result.mutableHeader.pointee.count = header.count
    return result
  }

  /// Grows a full chunk, or splits it by the next tag bit. A chunk of entries with equal tags
  /// cannot be split, and therefore grows without a limit.
  @inlinable
  @inline(never)
  static func makeRoom(in branch: Branch, at index: Int, chunk: Chunk, shift: Int) {
    let header = chunk.header.pointee
    let oldRun = Int(header.run)
    let bit = shift &+ oldRun &- 1
    if Int(header.shift) < Chunk.maximumShift || bit < Chunk.lowestSplitBit {
      branch.setRun(at: index, run: oldRun, to: IndexWord(grown(chunk)))
    } else {
      let run = oldRun == 0 ? Branch.shift &- 1 : oldRun &- 1
      let low = Chunk.make(shift: Int(header.shift), run: run)
      let high = Chunk.make(shift: Int(header.shift), run: run)
      let count = chunk.distribute(
        to: low.mutableBuckets, high.mutableBuckets, mask: low.mask, bit: bit)
      low.mutableHeader.pointee.count = header.count &- Int32(truncatingIfNeeded: count)
      high.mutableHeader.pointee.count = Int32(truncatingIfNeeded: count)
      split(branch, at: index, from: oldRun, into: run, low: low, high: high)
    }
    chunk.release()
  }

  @inlinable
  static func split(
    _ branch: Branch, at index: Int, from oldRun: Int, into run: Int, low: Chunk, high: Chunk
  ) {
    var target = branch
    var start = index & ~((1 &<< oldRun) &- 1)
    if oldRun == 0 {
      target = Branch.make()
      start = 0
    }
    target.setRun(at: start, run: run, to: IndexWord(low))
    target.setRun(at: start &+ (1 &<< run), run: run, to: IndexWord(high))
    if oldRun == 0 { branch.setRun(at: index, run: 0, to: IndexWord(target)) }
  }
}

extension SlotIndex {
  /// Reserves room for a total number of entries.
  @inlinable
  mutating func reserveCapacity(_ capacity: Int) {
    // A chunk counts as full at three quarters.
    let buckets = capacity / 6 &+ 1
    var chunkShift = Chunk.minimumShift
    while chunkShift < Chunk.maximumShift, buckets > 1 &<< chunkShift { chunkShift &+= 1 }
    var prefixBits = 0
    // An eighth more buckets are reserved, because hashes do not fill all chunks evenly.
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

  /// Returns an empty tree with one chunk for each value of the top tag bits. The result is an
  /// object rather than an address, for the reason given at `NodeRef.init(owning:)`.
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
