extension PersistentTable {
  /// The number of keys that are looked up together.
  @inlinable
  @inline(__always)
  static var groupSize: Int { 16 }

  /// Returns the elements with the keys, in the order of the keys, without the missing ones.
  ///
  /// Keys are looked up in groups, step by step: first the index entries of all keys, then the
  /// addresses of all elements. The memory accesses of a step do not depend on each other, so the
  /// processor waits for several of them at a time.
  /// - Complexity: O(*k*) expected in the number of keys.
  @inlinable
  package func elements(of keys: some Sequence<Key>) -> [Element] {
    if let found = keys.withContiguousStorageIfAvailable({ elements(ofAll: $0) }) { return found }
    return ContiguousArray(keys).withUnsafeBufferPointer { elements(ofAll: $0) }
  }

  @inlinable
  func elements(ofAll keys: UnsafeBufferPointer<Key>) -> [Element] {
    // An array without capacity writes its count to the global empty array, which the thread
    // sanitizer reports as a race.
    if isEmpty || keys.isEmpty { return [] }
    defer { withExtendedLifetime(self) {} }
    return Array(unsafeUninitializedCapacity: keys.count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      // A small table is usually cached, so that there is nothing to wait for.
      if height < 2 {
        for key in keys {
          guard let element = pointer(to: key) else { continue }
          (start + initialized).initialize(to: element.pointee)
          initialized &+= 1
        }
        return
      }
      withUnsafeTemporaryAllocation(of: UnsafePointer<Element>?.self, capacity: Self.groupSize) {
        group in
        var begin = 0
        while begin < keys.count {
          let end = Swift.min(begin &+ Self.groupSize, keys.count)
          locateCandidates(keys, begin..<end, into: group)
          for place in begin..<end {
            let key = keys[place]
            var element = group[place &- begin]
            if let candidate = element, !Layout.matches(candidate.pointee, key) {
              // Another key has the same tag, or the entry is in one of the next buckets.
              element = pointer(to: key)
            }
            guard let element else { continue }
            (start + initialized).initialize(to: element.pointee)
            initialized &+= 1
          }
          begin = end
        }
      }
    }
  }

  /// Stores, for each of some keys, the address of the first element that may have it; `nil` if
  /// there is no element with the key.
  @inlinable
  @inline(__always)
  func locateCandidates(
    _ keys: UnsafeBufferPointer<Key>, _ range: Range<Int>,
    into group: UnsafeMutableBufferPointer<UnsafePointer<Element>?>
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.groupSize) { slots in
      for place in range {
        slots[place &- range.lowerBound] = index.firstCandidate(tag(of: keys[place]))
      }
      for place in 0..<range.count {
        let slot = slots[place]
        group[place] = slot < 0 ? nil : pointer(at: slot)
      }
      // A bucket that is full of other entries, or has the tag's mark by chance, is rare.
      for place in 0..<range.count where slots[place] == SlotIndex.isUndecided {
        group[place] = pointer(to: keys[range.lowerBound &+ place])
      }
    }
  }
}

extension SlotIndex {
  /// The result of ``firstCandidate(_:)`` for a tag whose home bucket does not decide.
  @inlinable
  @inline(__always)
  static var isUndecided: Int { -2 }

  /// Returns the first slot with a tag in the tag's home bucket; -1 if the index does not have the
  /// tag, and `isUndecided` if other buckets have to be searched.
  @inlinable
  @inline(__always)
  func firstCandidate(_ tag: UInt32) -> Int { Self.firstCandidate(tag, below: word) }

  @inlinable
  @inline(__always)
  static func firstCandidate(_ tag: UInt32, below root: IndexWord) -> Int {
    let word = chunkWord(tag, below: root)
    let bucket = IndexBucket(at: Chunk.home(tag, word.chunkMask), of: word.chunk.buckets)
    let candidates = bucket.candidates(IndexBucket.pattern(tag))
    if candidates == 0 { return bucket.free == 0 ? isUndecided : -1 }
    let place = IndexBucket.place(candidates)
    if bucket.rest(place) != IndexBucket.rest(ofTag: tag) { return isUndecided }
    return bucket.slot(place)
  }
}
