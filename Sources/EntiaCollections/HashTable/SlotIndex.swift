/// A persistent map from hash tags to slot numbers.
///
/// Chunks of plain words under a trie indexed by the top bits of the tag. It holds neither keys nor
/// elements: changing an element in place never touches it, and copying a chunk is copying memory.
@frozen
@usableFromInline
struct SlotIndex {
  @usableFromInline var root: IndexNode?

  @inlinable
  init() { root = nil }

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

  /// Returns the slot with this tag that `matches` accepts, or -1.
  @inlinable
  @inline(__always)
  func find(_ tag: UInt32, _ matches: (Int) -> Bool) -> Int {
    guard let root else { return -1 }
    var node = borrowed(root)
    var shift = Self.topShift
    while true {
      let word = IndexNodes.words(node)[Int(truncatingIfNeeded: (tag &>> shift) & 63)]
      node = IndexNodes.node(word)
      if word & 1 == 0 { break }
      shift &-= UInt32(truncatingIfNeeded: IndexNodes.shift)
    }
    let mask = IndexChunks.header(node).pointee.mask
    let entries = IndexChunks.entries(node)
    var position = Int(truncatingIfNeeded: tag) & mask
    while true {
      let entry = entries[position]
      if entry == 0 { return -1 }
      if UInt32(truncatingIfNeeded: entry &>> 32) == tag {
        let slot = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
        if matches(slot) { return slot }
      }
      position = (position &+ 1) & mask
    }
  }

  @inlinable
  mutating func insert(_ tag: UInt32, _ slot: Int) {
    while true {
      let place = uniqueChunk(tag, growing: true)
      if let chunk = place {
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

  /// Makes the path to the tag's chunk this index's own and returns the chunk; `nil` when it was full
  /// and room has been made, after which the caller asks again.
  @inlinable
  mutating func uniqueChunk(_ tag: UInt32, growing: Bool) -> NodePointer? {
    var node = uniqueRoot()
    var shift = Self.topShift
    while true {
      let index = Int(truncatingIfNeeded: (tag &>> shift) & 63)
      let word = IndexNodes.words(node)[index]
      let child = IndexNodes.node(word)
      if word & 1 != 0 {
        if isUniqueNode(child) {
          node = child
        } else {
          let copy = IndexNodes.copy(child)
          releaseNode(child)
          IndexNodes.words(node)[index] = UInt(bitPattern: copy) | 1
          node = copy
        }
        shift &-= UInt32(truncatingIfNeeded: IndexNodes.shift)
        continue
      }
      let header = IndexChunks.header(child).pointee
      if growing, header.count &* 4 >= (header.mask &+ 1) &* 3 {
        Self.makeRoom(in: node, at: index, chunk: child, shift: Int(shift))
        return nil
      }
      if isUniqueNode(child) { return child }
      let copy = IndexChunks.copy(child)
      IndexNodes.setRun(node, at: index, run: header.run, to: copy)
      releaseNode(child)
      return copy
    }
  }

  @inlinable
  @inline(__always)
  mutating func uniqueRoot() -> NodePointer {
    if root == nil {
      let node = IndexNodes.make()
      let chunk = IndexChunks.make(capacity: 16, run: IndexNodes.shift)
      IndexNodes.setRun(node, at: 0, run: IndexNodes.shift, to: chunk)
      root = Unmanaged<IndexNode>.fromOpaque(node).takeRetainedValue()
    } else if !isKnownUniquelyReferenced(&root) {
      let copy = IndexNodes.copy(borrowed(root.unsafelyUnwrapped))
      root = Unmanaged<IndexNode>.fromOpaque(copy).takeRetainedValue()
    }
    return borrowed(root.unsafelyUnwrapped)
  }

  /// Grows a full chunk, or splits it by the next tag bit; equal tags end up in one growing chunk.
  @inlinable
  @inline(never)
  static func makeRoom(in node: NodePointer, at index: Int, chunk: NodePointer, shift: Int) {
    let header = IndexChunks.header(chunk).pointee
    let capacity = header.mask &+ 1
    let entries = IndexChunks.entries(chunk)
    let bit = shift &+ header.run &- 1
    if capacity < 1 &<< IndexChunks.maximumShift || bit < IndexChunks.maximumShift {
      let grown = IndexChunks.make(capacity: capacity &* 2, run: header.run)
      for position in 0..<capacity where entries[position] != 0 {
        IndexChunks.put(entries[position], into: grown)
      }
      IndexNodes.setRun(node, at: index, run: header.run, to: grown)
    } else {
      let run = header.run == 0 ? IndexNodes.shift &- 1 : header.run &- 1
      let low = IndexChunks.make(capacity: capacity, run: run)
      let high = IndexChunks.make(capacity: capacity, run: run)
      for position in 0..<capacity where entries[position] != 0 {
        let isHigh = (entries[position] &>> UInt64(32 &+ bit)) & 1 != 0
        IndexChunks.put(entries[position], into: isHigh ? high : low)
      }
      split(node, at: index, from: header.run, into: run, low: low, high: high)
    }
    releaseNode(chunk)
  }

  @inlinable
  static func split(
    _ node: NodePointer, at index: Int, from oldRun: Int, into run: Int, low: NodePointer,
    high: NodePointer
  ) {
    var target = node
    var start = index & ~((1 &<< oldRun) &- 1)
    if oldRun == 0 {
      target = IndexNodes.make()
      start = 0
      IndexNodes.words(node)[index] = UInt(bitPattern: target) | 1
    }
    IndexNodes.setRun(target, at: start, run: run, to: low)
    IndexNodes.setRun(target, at: start &+ (1 &<< run), run: run, to: high)
  }
}
