/// A 64-way node of the hash index: its words hold chunks or, with the lowest bit set, nodes.
///
/// Adjacent words may share one chunk (extendible hashing inside the node); the node owns one
/// reference for each run of equal words.
@usableFromInline
final class IndexNode: ManagedBuffer<Void, UInt> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { words in
      var previous: UInt = 0
      for index in 0..<IndexNodes.fanOut where words[index] != previous {
        previous = words[index]
        if previous != 0 { releaseNode(IndexNodes.node(previous)) }
      }
    }
  }
}

/// What a chunk of the hash index says of itself.
@frozen
@usableFromInline
struct IndexChunkHeader {
  /// How many entries are taken.
  @usableFromInline var count: Int
  /// Log2 of the node's words that share the chunk.
  @usableFromInline var run: Int
  /// The capacity less one; the capacity is a power of two.
  @usableFromInline var mask: Int

  @inlinable
  init(count: Int, run: Int, mask: Int) {
    self.count = count
    self.run = run
    self.mask = mask
  }
}

/// Open addressing over plain words: 32 bits of the hash above a slot number plus one; 0 is free.
@usableFromInline
final class IndexChunk: ManagedBuffer<IndexChunkHeader, UInt64> {}

/// The operations on nodes of the hash index.
@usableFromInline
enum IndexNodes {
  @inlinable
  @inline(__always)
  static var shift: Int { 6 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// The node or chunk a non-zero word stands for.
  @inlinable
  @inline(__always)
  static func node(_ word: UInt) -> NodePointer {
    NodePointer(bitPattern: word & ~1).unsafelyUnwrapped
  }

  @inlinable
  @inline(__always)
  static func words(_ node: NodePointer) -> UnsafeMutablePointer<UInt> {
    Unmanaged<IndexNode>.fromOpaque(node)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  @inlinable
  @inline(never)
  static func make() -> NodePointer {
    let node = owned(
      unsafeDowncast(IndexNode.create(minimumCapacity: fanOut) { _ in }, to: IndexNode.self))
    words(node).initialize(repeating: 0, count: fanOut)
    return node
  }

  @inlinable
  @inline(never)
  static func copy(_ node: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    let result = make()
    let source = words(node)
    let target = words(result)
    var previous: UInt = 0
    for index in 0..<fanOut {
      let word = source[index]
      target[index] = word
      if word != previous {
        previous = word
        if word != 0 { retainNode(Self.node(word)) }
      }
    }
    return result
  }

  /// Points every word of the run around `index` at a chunk.
  @inlinable
  @inline(__always)
  static func setRun(_ node: NodePointer, at index: Int, run: Int, to chunk: NodePointer) {
    let count = 1 &<< run
    let start = index & ~(count &- 1)
    (words(node) + start).update(repeating: UInt(bitPattern: chunk), count: count)
  }
}

/// The operations on chunks of the hash index.
@usableFromInline
enum IndexChunks {
  /// Log2 of the entries at which a chunk is split rather than grown.
  @inlinable
  @inline(__always)
  static var maximumShift: Int { 9 }

  @inlinable
  @inline(__always)
  static func header(_ chunk: NodePointer) -> UnsafeMutablePointer<IndexChunkHeader> {
    Unmanaged<IndexChunk>.fromOpaque(chunk)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func entries(_ chunk: NodePointer) -> UnsafeMutablePointer<UInt64> {
    Unmanaged<IndexChunk>.fromOpaque(chunk)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  @inlinable
  @inline(never)
  static func make(capacity: Int, run: Int) -> NodePointer {
    let chunk = owned(
      unsafeDowncast(
        IndexChunk.create(minimumCapacity: capacity) { _ in
          IndexChunkHeader(count: 0, run: run, mask: capacity &- 1)
        }, to: IndexChunk.self))
    entries(chunk).initialize(repeating: 0, count: capacity)
    return chunk
  }

  @inlinable
  @inline(never)
  static func copy(_ chunk: NodePointer) -> NodePointer {
    TableWork.note(.nodeCopied)
    let header = header(chunk).pointee
    let capacity = header.mask &+ 1
    let result = owned(
      unsafeDowncast(
        IndexChunk.create(minimumCapacity: capacity) { _ in header }, to: IndexChunk.self))
    entries(result).initialize(from: entries(chunk), count: capacity)
    return result
  }

  @inlinable
  @inline(__always)
  static func put(_ entry: UInt64, into chunk: NodePointer) {
    let mask = header(chunk).pointee.mask
    let entries = entries(chunk)
    var position = Int(truncatingIfNeeded: entry &>> 32) & mask
    while entries[position] != 0 { position = (position &+ 1) & mask }
    entries[position] = entry
    header(chunk).pointee.count &+= 1
  }

  /// Takes an entry out and closes the gap, so that no tombstones are left.
  @inlinable
  @inline(__always)
  static func remove(_ entry: UInt64, from chunk: NodePointer) {
    let mask = header(chunk).pointee.mask
    let entries = entries(chunk)
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
    header(chunk).pointee.count &-= 1
  }
}
