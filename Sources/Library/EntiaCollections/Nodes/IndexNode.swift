/// The header of a node of the hash index. Only chunks use it.
@frozen
@usableFromInline
struct IndexHeader {
  /// The number of entries.
  @usableFromInline var count: Int32
  /// Log2 of the number of branch words that share the chunk.
  @usableFromInline var run: Int8
  /// Log2 of the number of buckets.
  @usableFromInline var shift: Int8

  @inlinable
  init(run: Int, shift: Int) {
    count = 0
    self.run = Int8(truncatingIfNeeded: run)
    self.shift = Int8(truncatingIfNeeded: shift)
  }
}

/// A node of the hash index: an `IndexChunk` or an `IndexBranch`.
@usableFromInline
class IndexNode: ManagedBuffer<IndexHeader, IndexWord> {
  @usableFromInline typealias Header = IndexHeader
  @usableFromInline typealias Element = IndexWord
}

/// A word that refers to a node of the hash index, or to none.
///
/// It is a node's address with a code in its lowest three bits, which are free: 0 for a branch,
/// else log2 of a chunk's number of buckets. A lookup therefore reads only the bucket of a chunk,
/// not its header. The code 7 stands for 7 or more; the header stores the exact number.
@frozen
@usableFromInline
struct IndexWord: Equatable {
  @usableFromInline let bits: UInt64

  @inlinable
  @inline(__always)
  init(bits: UInt64) { self.bits = bits }

  @inlinable
  @inline(__always)
  init(_ branch: NodeRef<IndexBranch>) { bits = UInt64(UInt(bitPattern: branch.address)) }

  @inlinable
  @inline(__always)
  init(_ chunk: NodeRef<IndexChunk>) {
    let code = min(7, UInt64(truncatingIfNeeded: chunk.header.pointee.shift))
    bits = UInt64(UInt(bitPattern: chunk.address)) | code
  }

  /// The word of an empty index.
  @inlinable
  @inline(__always)
  static var none: Self { Self(bits: 0) }

  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.bits == rhs.bits }

  @inlinable
  @inline(__always)
  var isNone: Bool { bits == 0 }

  @inlinable
  @inline(__always)
  var isBranch: Bool { bits & 7 == 0 }

  @inlinable
  @inline(__always)
  var node: NodeRef<IndexNode> {
    NodeRef(
      address: UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: bits) & ~7)
        .unsafelyUnwrapped)
  }

  @inlinable
  @inline(__always)
  var branch: NodeRef<IndexBranch> { node.cast() }

  @inlinable
  @inline(__always)
  var chunk: NodeRef<IndexChunk> { node.cast() }

  /// The chunk's number of buckets, minus one.
  @inlinable
  @inline(__always)
  var chunkMask: Int {
    let code = Int(truncatingIfNeeded: bits & 7)
    if code == 7 { return chunk.mask }
    return (1 &<< code) &- 1
  }

  /// Returns the word of a copy of the node. The caller owns the reference of the copy.
  @inlinable
  @inline(__always)
  func copy() -> IndexWord {
    isBranch ? IndexWord(branch.copy()) : IndexWord(chunk.copy())
  }
}

/// A node of the hash index with 64 children.
///
/// Adjacent words may share one chunk (extendible hashing inside the branch). The branch owns one
/// reference for each run of equal words.
@usableFromInline
final class IndexBranch: IndexNode, CopyableNodeKind {
  @inlinable
  deinit {
    NodeRef<IndexBranch>(borrowing: self).forEachChild { $0.node.release() }
  }

  @inlinable
  @inline(never)
  static func duplicate(_ branch: NodeRef<IndexBranch>) -> IndexBranch {
    let result = NodeRef<IndexBranch>.allocate()
    let target = NodeRef(borrowing: result)
    target.mutableElements.initialize(from: branch.elements, count: NodeRef<IndexBranch>.fanOut)
    target.forEachChild { $0.node.retain() }
    return result
  }
}

extension NodeRef where Kind == IndexBranch {
  @inlinable
  @inline(__always)
  static var shift: Int { 6 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// Returns the index of the child that holds the tag: the six bits of the tag from `shift` on.
  @inlinable
  @inline(__always)
  static func index(of tag: UInt32, shift: UInt32) -> Int {
    Int(truncatingIfNeeded: (tag &>> shift) & UInt32(truncatingIfNeeded: fanOut &- 1))
  }

  /// Creates a branch whose words are not initialized.
  @inlinable
  @inline(__always)
  static func make() -> Self { Self(owning: allocate()) }

  @inlinable
  @inline(__always)
  static func allocate() -> IndexBranch {
    allocate(capacity: fanOut, header: IndexHeader(run: 0, shift: 0))
  }

  /// Sets a group of `1 << run` adjacent words, one of which is at `index`. The group begins at a
  /// multiple of its length.
  @inlinable
  @inline(__always)
  func setRun(at index: Int, run: Int, to word: IndexWord) {
    let count = 1 &<< run
    let start = index & ~(count &- 1)
    (mutableElements + start).update(repeating: word, count: count)
  }

  /// Calls the closure once for every child.
  @inlinable
  @inline(__always)
  func forEachChild(_ body: (IndexWord) -> Void) {
    var previous = IndexWord.none
    for index in 0..<Self.fanOut where elements[index] != previous {
      previous = elements[index]
      body(previous)
    }
  }
}
