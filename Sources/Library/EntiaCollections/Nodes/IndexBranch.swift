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

  /// Returns the index of the child that holds the tag, in a branch at a depth with this shift.
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

  /// Sets every word of the run around `index`.
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
