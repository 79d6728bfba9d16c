/// A chunk of the hash index: open addressing over buckets, each a cache line.
///
/// An entry is stored in the home bucket of its tag, or in the next bucket with room if the home
/// bucket is full. A lookup therefore ends at the first bucket that is not full, and a removal
/// closes its gap.
@usableFromInline
final class IndexChunk: IndexNode, CopyableNodeKind {
  @inlinable
  @inline(never)
  static func duplicate(_ chunk: NodeRef<IndexChunk>) -> IndexChunk {
    let header = chunk.header.pointee
    let shift = Int(header.shift)
    let result = NodeRef<IndexChunk>.allocate(
      capacity: NodeRef<IndexChunk>.wordCount(shift: shift), header: header)
    NodeRef(borrowing: result).mutableBuckets.copyMemory(
      from: chunk.buckets, byteCount: IndexBucket.size &<< shift)
    return result
  }
}

extension NodeRef where Kind == IndexChunk {
  /// Log2 of the number of buckets in the smallest chunk.
  @inlinable
  @inline(__always)
  static var minimumShift: Int { 1 }

  /// Log2 of the number of buckets at which a chunk is split rather than grown: 512 places, 4 KB.
  @inlinable
  @inline(__always)
  static var maximumShift: Int { 6 }

  /// The lowest tag bit that can divide the entries of a chunk in a split. The bits below it select
  /// the mark and the bucket.
  @inlinable
  @inline(__always)
  static var lowestSplitBit: Int { 7 &+ maximumShift }

  /// Returns the number of words for a chunk's buckets and for the padding that aligns them to a
  /// cache line.
  @inlinable
  @inline(__always)
  static func wordCount(shift: Int) -> Int { ((IndexBucket.size / 8) &<< shift) &+ 7 }

  /// Returns the index of the home bucket of a tag.
  @inlinable
  @inline(__always)
  static func home(_ tag: UInt32, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: tag &>> 7) & mask
  }

  /// Creates a chunk without entries.
  @inlinable
  @inline(__always)
  static func make(shift: Int, run: Int) -> Self { Self(owning: allocate(shift: shift, run: run)) }

  @inlinable
  @inline(never)
  static func allocate(shift: Int, run: Int) -> IndexChunk {
    let chunk = allocate(
      capacity: wordCount(shift: shift), header: IndexHeader(run: run, shift: shift))
    Self(borrowing: chunk).mutableBuckets.initializeMemory(
      as: UInt8.self, repeating: 0, count: IndexBucket.size &<< shift)
    return chunk
  }

  /// The number of buckets less one.
  @inlinable
  @inline(__always)
  var mask: Int { (1 &<< Int(header.pointee.shift)) &- 1 }

  /// The address of the buckets: the start of the first whole cache line in the storage.
  @inlinable
  @inline(__always)
  var buckets: UnsafeMutableRawPointer {
    let room = UInt(bitPattern: elements)
    return UnsafeMutableRawPointer(bitPattern: (room &+ 63) & ~63).unsafelyUnwrapped
  }

  /// The address of a unique chunk's buckets, for changing them.
  @inlinable
  @inline(__always)
  var mutableBuckets: UnsafeMutableRawPointer {
    checkUnique()
    return buckets
  }

  /// Whether another entry would leave less than a quarter of the chunk free.
  @inlinable
  @inline(__always)
  var isFull: Bool { Int(header.pointee.count) >= 6 &<< Int(header.pointee.shift) }

  @inlinable
  @inline(__always)
  func insert(_ tag: UInt32, _ slot: Int) {
    Self.place(tag, slot, into: mutableBuckets, mask: mask)
    mutableHeader.pointee.count &+= 1
  }

  /// Stores an entry at the position that `findEntry` returned when it did not find the entry. The
  /// bucket at that position has room.
  @inlinable
  @inline(__always)
  func insert(_ tag: UInt32, _ slot: Int, near entry: Int) {
    let bucket = IndexBucket(at: entry &>> 3, of: mutableBuckets)
    bucket.set(IndexBucket.place(bucket.free), tag, slot)
    mutableHeader.pointee.count &+= 1
  }

  @inlinable
  @inline(__always)
  static func place(
    _ tag: UInt32, _ slot: Int, into buckets: UnsafeMutableRawPointer, mask: Int
  ) {
    var index = home(tag, mask)
    while true {
      let bucket = IndexBucket(at: index, of: buckets)
      let free = bucket.free
      if free != 0 {
        bucket.set(IndexBucket.place(free), tag, slot)
        return
      }
      index = (index &+ 1) & mask
    }
  }

  /// Copies the entries to the buckets of two chunks. Entries whose tag has a given bit go to the
  /// second chunk, and the others to the first. Both chunks have room for all entries, and the same
  /// number of buckets.
  /// - Parameters:
  ///   - low: The buckets of the first chunk.
  ///   - high: The buckets of the second chunk, or `low` if there is only one chunk.
  ///   - mask: The number of buckets of each, less one.
  ///   - bit: The bit of the tag, at least 7.
  /// - Returns: The number of entries with the bit.
  // A bucket stores each tag in two pieces, its mark and its rest. Both are copied as they are,
  // without computing the tag.
  @inlinable
  @inline(__always)
  func distribute(
    to low: UnsafeMutableRawPointer, _ high: UnsafeMutableRawPointer, mask: Int, bit: Int
  ) -> Int {
    let buckets = buckets
    let distance = high - low
    let restShift = UInt32(truncatingIfNeeded: bit &+ 1)
    var count = 0
    for index in 0...self.mask {
      let bucket = IndexBucket(at: index, of: buckets)
      var used = bucket.used
      while used != 0 {
        let place = IndexBucket.place(used)
        used &= used &- 1
        let rest = bucket.rest(place)
        let isHigh = Int(truncatingIfNeeded: (rest &>> restShift) & 1)
        count &+= isHigh
        let target = low + (distance & (0 &- isHigh))
        var targetIndex = Int(truncatingIfNeeded: rest &>> 8) & mask
        while true {
          let targetBucket = IndexBucket(at: targetIndex, of: target)
          let free = targetBucket.free
          if free != 0 {
            bucket.copyEntry(at: place, rest: rest, to: targetBucket, free: free)
            break
          }
          targetIndex = (targetIndex &+ 1) & mask
        }
      }
    }
    return count
  }

  /// Returns the bucket and the place of the entry that has the given tag and a slot accepted by
  /// `matches`. The entry must exist.
  @inlinable
  @inline(__always)
  func locate(_ tag: UInt32, _ matches: (Int) -> Bool) -> (index: Int, place: Int) {
    let mask = mask
    let pattern = IndexBucket.pattern(tag)
    var index = Self.home(tag, mask)
    while true {
      let bucket = IndexBucket(at: index, of: buckets)
      var candidates = bucket.candidates(pattern)
      while candidates != 0 {
        let place = IndexBucket.place(candidates)
        if matches(bucket.slot(place)), bucket.tag(place) == tag { return (index, place) }
        candidates &= candidates &- 1
      }
      index = (index &+ 1) & mask
    }
  }

  /// Removes an entry. An entry that had no room in the removed entry's bucket moves into the gap,
  /// so that no tombstones are needed.
  @inlinable
  @inline(__always)
  func remove(_ entry: Int) {
    let bucket = IndexBucket(at: entry &>> 3, of: mutableBuckets)
    let wasFull = bucket.free == 0
    bucket.clear(entry & 7)
    mutableHeader.pointee.count &-= 1
    if wasFull { closeGap(at: entry &>> 3, place: entry & 7) }
  }

  @inlinable
  @inline(never)
  func closeGap(at gapIndex: Int, place gapPlace: Int) {
    let mask = mask
    let buckets = mutableBuckets
    var (gap, gapPlace) = (gapIndex, gapPlace)
    var index = gap
    while true {
      index = (index &+ 1) & mask
      if index == gap { return }
      let bucket = IndexBucket(at: index, of: buckets)
      let isFull = bucket.free == 0
      var used = bucket.used
      while used != 0 {
        let place = IndexBucket.place(used)
        used &= used &- 1
        let tag = bucket.tag(place)
        // An entry may fill the gap only if its probe sequence passed the gap.
        guard (index &- Self.home(tag, mask)) & mask >= (index &- gap) & mask else { continue }
        IndexBucket(at: gap, of: buckets).set(gapPlace, tag, bucket.slot(place))
        bucket.clear(place)
        (gap, gapPlace) = (index, place)
        break
      }
      if !isFull { return }
    }
  }

  /// Calls the closure with the tag and the slot of every entry.
  @inlinable
  @inline(__always)
  func forEachEntry(_ body: (UInt32, Int) -> Void) {
    let buckets = buckets
    for index in 0...mask {
      let bucket = IndexBucket(at: index, of: buckets)
      var used = bucket.used
      while used != 0 {
        let place = IndexBucket.place(used)
        used &= used &- 1
        body(bucket.tag(place), bucket.slot(place))
      }
    }
  }
}
