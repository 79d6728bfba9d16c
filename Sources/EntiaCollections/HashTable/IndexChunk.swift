/// The operations on chunks of the hash index: open addressing over buckets, each a cache line.
///
/// An entry is stored in the home bucket of its tag, or in the next one with room if that is full.
/// A lookup therefore ends at the first bucket that is not full, and a removal closes the gap that
/// it leaves.
@usableFromInline
enum IndexChunks {
  /// Log2 of the number of buckets in the smallest chunk.
  @inlinable
  @inline(__always)
  static var minimumShift: Int { 1 }

  /// Log2 of the number of buckets at which a chunk is split rather than grown: 512 places, 4 KB.
  @inlinable
  @inline(__always)
  static var maximumShift: Int { 6 }

  /// The lowest bit of a tag by which a chunk is split. The bits below are used for the mark and
  /// the bucket.
  @inlinable
  @inline(__always)
  static var lowestSplitBit: Int { 7 &+ maximumShift }

  /// Returns the number of words for a chunk's buckets and for the padding that aligns them to a
  /// cache line.
  @inlinable
  @inline(__always)
  static func wordCount(shift: Int) -> Int { ((IndexBuckets.size / 8) &<< shift) &+ 7 }

  /// Returns the number of buckets less one of the chunk that a word refers to.
  @inlinable
  @inline(__always)
  static func mask(_ word: UInt64) -> Int {
    let code = Int(truncatingIfNeeded: word & 7)
    if code == 7 { return mask(of: IndexNodes.node(word)) }
    return (1 &<< code) &- 1
  }

  @inlinable
  @inline(__always)
  static func mask(of chunk: NodePointer) -> Int {
    (1 &<< Int(IndexNodes.header(chunk).pointee.shift)) &- 1
  }

  /// Returns the address of the chunk's buckets: the first cache line in its storage.
  @inlinable
  @inline(__always)
  static func buckets(_ chunk: NodePointer) -> UnsafeMutableRawPointer {
    let room = UInt(bitPattern: IndexNodes.words(chunk))
    return UnsafeMutableRawPointer(bitPattern: (room &+ 63) & ~63).unsafelyUnwrapped
  }

  /// Returns the index of the home bucket of a tag.
  @inlinable
  @inline(__always)
  static func home(_ tag: UInt32, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: tag &>> 7) & mask
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
    buckets(borrowed(chunk)).initializeMemory(
      as: UInt8.self, repeating: 0, count: IndexBuckets.size &<< shift)
    return chunk
  }

  /// Whether another entry would leave less than a quarter of the chunk free.
  @inlinable
  @inline(__always)
  static func isFull(_ chunk: NodePointer) -> Bool {
    let header = IndexNodes.header(chunk).pointee
    return Int(header.count) >= 6 &<< Int(header.shift)
  }

  @inlinable
  @inline(__always)
  static func put(_ tag: UInt32, _ slot: Int, into chunk: NodePointer) {
    place(tag, slot, into: buckets(chunk), mask: mask(of: chunk))
    IndexNodes.header(chunk).pointee.count &+= 1
  }

  @inlinable
  @inline(__always)
  static func place(
    _ tag: UInt32, _ slot: Int, into buckets: UnsafeMutableRawPointer, mask: Int
  ) {
    var index = home(tag, mask)
    while true {
      let bucket = buckets + index &* IndexBuckets.size
      let free = IndexBuckets.free(IndexBuckets.marks(bucket))
      if free != 0 {
        IndexBuckets.set(bucket, IndexBuckets.place(free), tag, slot)
        return
      }
      index = (index &+ 1) & mask
    }
  }

  /// Returns the bucket and the place of an entry, which must exist.
  @inlinable
  @inline(__always)
  static func locate(_ tag: UInt32, _ slot: Int, in chunk: NodePointer) -> (index: Int, place: Int)
  {
    let mask = mask(of: chunk)
    let pattern = IndexBuckets.pattern(tag)
    var index = home(tag, mask)
    while true {
      let bucket = buckets(chunk) + index &* IndexBuckets.size
      var candidates = IndexBuckets.candidates(IndexBuckets.marks(bucket), pattern)
      while candidates != 0 {
        let place = IndexBuckets.place(candidates)
        if IndexBuckets.slot(bucket, place) == slot, IndexBuckets.tag(bucket, place) == tag {
          return (index, place)
        }
        candidates &= candidates &- 1
      }
      index = (index &+ 1) & mask
    }
  }

  /// Removes an entry. Entries that found no room in its bucket move up, so that no tombstones are
  /// left.
  @inlinable
  @inline(__always)
  static func remove(_ entry: Int, from chunk: NodePointer) {
    let bucket = buckets(chunk) + (entry &>> 3) &* IndexBuckets.size
    let wasFull = IndexBuckets.free(IndexBuckets.marks(bucket)) == 0
    IndexBuckets.clear(bucket, entry & 7)
    IndexNodes.header(chunk).pointee.count &-= 1
    if wasFull { closeGap(in: chunk, at: entry &>> 3, place: entry & 7) }
  }

  @inlinable
  @inline(never)
  static func closeGap(in chunk: NodePointer, at gapIndex: Int, place gapPlace: Int) {
    let mask = mask(of: chunk)
    let buckets = buckets(chunk)
    var (gap, gapPlace) = (gapIndex, gapPlace)
    var index = gap
    while true {
      index = (index &+ 1) & mask
      if index == gap { return }
      let bucket = buckets + index &* IndexBuckets.size
      let isFull = IndexBuckets.free(IndexBuckets.marks(bucket)) == 0
      var used = IndexBuckets.marks(bucket) & IndexBuckets.everyMark
      while used != 0 {
        let place = IndexBuckets.place(used)
        used &= used &- 1
        let tag = IndexBuckets.tag(bucket, place)
        // An entry may fill the gap only if its probe sequence passed the gap.
        guard (index &- home(tag, mask)) & mask >= (index &- gap) & mask else { continue }
        IndexBuckets.set(
          buckets + gap &* IndexBuckets.size, gapPlace, tag, IndexBuckets.slot(bucket, place))
        IndexBuckets.clear(bucket, place)
        (gap, gapPlace) = (index, place)
        break
      }
      if !isFull { return }
    }
  }

  /// Calls the closure with the tag and the slot of every entry.
  @inlinable
  @inline(__always)
  static func forEachEntry(of chunk: NodePointer, _ body: (UInt32, Int) -> Void) {
    let buckets = buckets(chunk)
    for index in 0...mask(of: chunk) {
      let bucket = buckets + index &* IndexBuckets.size
      var used = IndexBuckets.marks(bucket) & IndexBuckets.everyMark
      while used != 0 {
        let place = IndexBuckets.place(used)
        used &= used &- 1
        body(IndexBuckets.tag(bucket, place), IndexBuckets.slot(bucket, place))
      }
    }
  }
}
