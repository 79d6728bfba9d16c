/// What a node of the hash index says of itself.
@frozen
@usableFromInline
struct IndexHeader {
  /// How many entries of a chunk are taken; unused by a branch.
  @usableFromInline var count: Int32
  /// Log2 of the branch words that share the chunk; unused by a branch.
  @usableFromInline var run: Int8
  /// Log2 of the number of words.
  @usableFromInline var shift: Int8
  /// Whether the words hold children rather than entries.
  @usableFromInline var isBranch: Bool

  @inlinable
  init(count: Int32 = 0, run: Int8, shift: Int8, isBranch: Bool = false) {
    self.count = count
    self.run = run
    self.shift = shift
    self.isBranch = isBranch
  }
}

/// A node of the hash index: a chunk of entries, or a branch with 64 children.
///
/// Adjacent words of a branch may share one chunk (extendible hashing inside the branch); it owns
/// one reference for each run of equal words.
@usableFromInline
final class IndexNode: ManagedBuffer<IndexHeader, UInt64> {
  @inlinable
  deinit {
    if !header.isBranch { return }
    withUnsafeMutablePointerToElements { words in
      var previous: UInt64 = 0
      for index in 0..<IndexBranches.fanOut where words[index] != previous {
        previous = words[index]
        releaseNode(IndexNodes.node(previous))
      }
    }
  }
}

/// The operations on nodes of the hash index, and on the words that lead to them.
///
/// A word is a node's address with a code in its lowest three bits, which are free: 0 for a branch,
/// else what log2 of a chunk's capacity has above 3. So a look-up reads nothing of a chunk but the
/// entries it wants; a 7 stands for any larger capacity, which the header has.
@usableFromInline
enum IndexNodes {
  @inlinable
  @inline(__always)
  static func node(_ word: UInt64) -> NodePointer {
    NodePointer(bitPattern: UInt(truncatingIfNeeded: word) & ~7).unsafelyUnwrapped
  }

  @inlinable
  @inline(__always)
  static func isBranch(_ word: UInt64) -> Bool { word & 7 == 0 }

  /// The word that leads to a node.
  @inlinable
  @inline(__always)
  static func word(_ node: NodePointer) -> UInt64 {
    let header = header(node).pointee
    let code = header.isBranch ? 0 : min(7, UInt64(truncatingIfNeeded: header.shift) &- 3)
    return UInt64(UInt(bitPattern: node)) | code
  }

  @inlinable
  @inline(__always)
  static func header(_ node: NodePointer) -> UnsafeMutablePointer<IndexHeader> {
    Unmanaged<IndexNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  /// The children of a branch, the entries of a chunk.
  @inlinable
  @inline(__always)
  static func words(_ node: NodePointer) -> UnsafeMutablePointer<UInt64> {
    Unmanaged<IndexNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  /// Creates a node whose words are not initialized. (Why objects: `owned`.)
  @inlinable
  @inline(never)
  static func allocate(_ header: IndexHeader) -> IndexNode {
    unsafeDowncast(
      IndexNode.create(minimumCapacity: 1 &<< Int(header.shift)) { _ in header },
      to: IndexNode.self)
  }

  @inlinable
  @inline(__always)
  static func copy(_ node: NodePointer) -> NodePointer { owned(duplicate(node)) }

  @inlinable
  @inline(never)
  static func duplicate(_ node: NodePointer) -> IndexNode {
    TableWork.note(.nodeCopied)
    let header = header(node).pointee
    let result = allocate(header)
    let target = words(borrowed(result))
    let count = 1 &<< Int(header.shift)
    target.initialize(from: words(node), count: count)
    if header.isBranch {
      var previous: UInt64 = 0
      for index in 0..<count where target[index] != previous {
        previous = target[index]
        retainNode(Self.node(previous))
      }
    }
    return result
  }
}

/// The operations on branches of the hash index.
@usableFromInline
enum IndexBranches {
  @inlinable
  @inline(__always)
  static var shift: Int { 6 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// Which child of a branch at a depth with this shift holds the tag.
  @inlinable
  @inline(__always)
  static func child(of tag: UInt32, shift: UInt32) -> Int {
    Int(truncatingIfNeeded: (tag &>> shift) & UInt32(truncatingIfNeeded: fanOut &- 1))
  }

  /// Points every word of the run around `index` at a node.
  @inlinable
  @inline(__always)
  static func setRun(_ branch: NodePointer, at index: Int, run: Int, to node: NodePointer) {
    let count = 1 &<< run
    let start = index & ~(count &- 1)
    (IndexNodes.words(branch) + start).update(repeating: IndexNodes.word(node), count: count)
  }
}

/// The operations on chunks of the hash index.
///
/// Open addressing over plain words: 32 bits of the hash above a slot number plus one; 0 is free.
@usableFromInline
enum IndexChunks {
  /// Log2 of the entries at which a chunk is split rather than grown.
  @inlinable
  @inline(__always)
  static var maximumShift: Int { 9 }

  /// Log2 of the capacity that a code of a word stands for, if it is not the largest.
  @inlinable
  @inline(__always)
  static var minimumShift: Int { 4 }

  /// The capacity less one of the chunk that a word leads to.
  @inlinable
  @inline(__always)
  static func mask(_ word: UInt64) -> Int {
    let code = Int(truncatingIfNeeded: word & 7)
    if code == 7 { return mask(of: IndexNodes.node(word)) }
    return (8 &<< code) &- 1
  }

  @inlinable
  @inline(__always)
  static func mask(of chunk: NodePointer) -> Int {
    (1 &<< Int(IndexNodes.header(chunk).pointee.shift)) &- 1
  }

  @inlinable
  @inline(__always)
  static func make(shift: Int, run: Int) -> NodePointer {
    owned(allocate(shift: shift, run: run))
  }

  @inlinable
  @inline(never)
  static func allocate(shift: Int, run: Int) -> IndexNode {
    let chunk = IndexNodes.allocate(
      IndexHeader(run: Int8(truncatingIfNeeded: run), shift: Int8(truncatingIfNeeded: shift)))
    IndexNodes.words(borrowed(chunk)).initialize(repeating: 0, count: 1 &<< shift)
    return chunk
  }

  /// Whether another entry would leave less than a quarter of the chunk free.
  @inlinable
  @inline(__always)
  static func isFull(_ chunk: NodePointer) -> Bool {
    let header = IndexNodes.header(chunk).pointee
    return Int(header.count) &* 4 >= 3 &<< Int(header.shift)
  }

  @inlinable
  @inline(__always)
  static func put(_ entry: UInt64, into chunk: NodePointer) {
    let mask = mask(of: chunk)
    let entries = IndexNodes.words(chunk)
    var position = Int(truncatingIfNeeded: entry &>> 32) & mask
    while entries[position] != 0 { position = (position &+ 1) & mask }
    entries[position] = entry
    IndexNodes.header(chunk).pointee.count &+= 1
  }

  /// Puts the entries of a chunk whose bit of `bit` is the one of `value` into an empty chunk; all of
  /// them without a bit.
  @inlinable
  @inline(__always)
  static func refill(
    _ empty: NodePointer, from chunk: NodePointer, bit: UInt64 = 0, value: UInt64 = 0
  ) {
    let source = IndexNodes.words(chunk)
    let target = IndexNodes.words(empty)
    let mask = mask(of: empty)
    var count: Int32 = 0
    for index in 0...self.mask(of: chunk) {
      let entry = source[index]
      if entry == 0 || entry & bit != value { continue }
      var position = Int(truncatingIfNeeded: entry &>> 32) & mask
      while target[position] != 0 { position = (position &+ 1) & mask }
      target[position] = entry
      count &+= 1
    }
    IndexNodes.header(empty).pointee.count = count
  }

  /// Takes an entry out and closes the gap, so that no tombstones are left.
  @inlinable
  @inline(__always)
  static func remove(_ entry: UInt64, from chunk: NodePointer) {
    let mask = mask(of: chunk)
    let entries = IndexNodes.words(chunk)
    var hole = Int(truncatingIfNeeded: entry &>> 32) & mask
    while entries[hole] != entry { hole = (hole &+ 1) & mask }
    var next = (hole &+ 1) & mask
    while entries[next] != 0 {
      let home = Int(truncatingIfNeeded: entries[next] &>> 32) & mask
      if (next &- home) & mask >= (next &- hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next &+ 1) & mask
    }
    entries[hole] = 0
    IndexNodes.header(chunk).pointee.count &-= 1
  }
}
