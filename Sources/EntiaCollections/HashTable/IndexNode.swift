/// The header of a node of the hash index.
@frozen
@usableFromInline
struct IndexHeader {
  /// The number of entries in a chunk; unused by a branch.
  @usableFromInline var count: Int32
  /// Log2 of the number of branch words that share the chunk; unused by a branch.
  @usableFromInline var run: Int8
  /// Log2 of a chunk's number of buckets; unused by a branch.
  @usableFromInline var shift: Int8
  /// Whether the words are children rather than buckets.
  @usableFromInline var isBranch: Bool

  @inlinable
  init(count: Int32 = 0, run: Int8, shift: Int8, isBranch: Bool = false) {
    self.count = count
    self.run = run
    self.shift = shift
    self.isBranch = isBranch
  }
}

/// A node of the hash index: a chunk of buckets, or a branch with 64 children.
///
/// Adjacent words of a branch may share one chunk (extendible hashing inside the branch). The
/// branch owns one reference for each run of equal words.
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

/// The operations on nodes of the hash index, and on the words that refer to them.
///
/// A word is a node's address with a code in its lowest three bits, which are free: 0 for a branch,
/// else log2 of a chunk's number of buckets. A lookup therefore reads only the bucket of a chunk,
/// not its header. The code 7 stands for 7 and any larger number, which the header stores.
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

  /// Returns the word that refers to a node.
  @inlinable
  @inline(__always)
  static func word(_ node: NodePointer) -> UInt64 {
    let header = header(node).pointee
    let code = header.isBranch ? 0 : min(7, UInt64(truncatingIfNeeded: header.shift))
    return UInt64(UInt(bitPattern: node)) | code
  }

  @inlinable
  @inline(__always)
  static func header(_ node: NodePointer) -> UnsafeMutablePointer<IndexHeader> {
    Unmanaged<IndexNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  /// Returns the children of a branch, or the storage of a chunk's buckets.
  @inlinable
  @inline(__always)
  static func words(_ node: NodePointer) -> UnsafeMutablePointer<UInt64> {
    Unmanaged<IndexNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  /// Creates a node whose words are not initialized. It returns an object for the reason given at
  /// `owned`.
  @inlinable
  @inline(never)
  static func allocate(_ header: IndexHeader) -> IndexNode {
    let words =
      header.isBranch ? IndexBranches.fanOut : IndexChunks.wordCount(shift: Int(header.shift))
    return unsafeDowncast(
      IndexNode.create(minimumCapacity: words) { _ in header }, to: IndexNode.self)
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
    if !header.isBranch {
      IndexChunks.buckets(borrowed(result)).copyMemory(
        from: IndexChunks.buckets(node), byteCount: IndexBuckets.size &<< Int(header.shift))
      return result
    }
    let target = words(borrowed(result))
    target.initialize(from: words(node), count: IndexBranches.fanOut)
    var previous: UInt64 = 0
    for index in 0..<IndexBranches.fanOut where target[index] != previous {
      previous = target[index]
      retainNode(Self.node(previous))
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

  /// Returns the index of the child that holds the tag, in a branch at a depth with this shift.
  @inlinable
  @inline(__always)
  static func child(of tag: UInt32, shift: UInt32) -> Int {
    Int(truncatingIfNeeded: (tag &>> shift) & UInt32(truncatingIfNeeded: fanOut &- 1))
  }

  /// Sets every word of the run around `index` to a node.
  @inlinable
  @inline(__always)
  static func setRun(_ branch: NodePointer, at index: Int, run: Int, to node: NodePointer) {
    let count = 1 &<< run
    let start = index & ~(count &- 1)
    (IndexNodes.words(branch) + start).update(repeating: IndexNodes.word(node), count: count)
  }
}
