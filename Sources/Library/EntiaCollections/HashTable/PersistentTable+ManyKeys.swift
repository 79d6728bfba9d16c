extension PersistentTable {
  /// The number of keys that are looked up together.
  @inlinable
  @inline(__always)
  static var groupSize: Int { 16 }

  /// Returns the elements with the keys, in the order of the keys. A key without an element is
  /// skipped.
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
    // An array without capacity would write its count to the global empty array, which the thread
    // sanitizer reports as a race.
    if isEmpty || keys.isEmpty { return [] }
    defer { withExtendedLifetime(self) {} }
    return Array(unsafeUninitializedCapacity: keys.count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      // A small table is usually in the processor's cache, so looking up keys in groups is no
      // faster.
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
              // `candidate` has another key with the same tag. A later entry may have `key`.
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

  /// For each key in a range, stores the address of the first element that may have the key. Stores
  /// `nil` if no element has the key.
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
      // Rarely, the home bucket alone does not determine a key's slot: it is full of other entries,
      // or has an entry with the same mark but another tag. Such a key is looked up separately.
      for place in 0..<range.count where slots[place] == SlotIndex.isUndecided {
        group[place] = pointer(to: keys[range.lowerBound &+ place])
      }
    }
  }
}

extension SlotIndex {
  /// The result of ``firstCandidate(_:)`` if other buckets than the tag's home bucket have to be
  /// searched.
  @inlinable
  @inline(__always)
  static var isUndecided: Int { -2 }

  /// Returns the slot of the first entry with a tag in the tag's home bucket; -1 if the index does
  /// not have the tag, and `isUndecided` if other buckets have to be searched.
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

/// The addresses of the elements with the next few keys of a list, looked up together.
@frozen
@usableFromInline
package struct NextElements<Element> {
  @usableFromInline var first: UnsafePointer<Element>?
  @usableFromInline var second: UnsafePointer<Element>?
  @usableFromInline var third: UnsafePointer<Element>?
  @usableFromInline var fourth: UnsafePointer<Element>?

  /// Creates an empty group.
  @inlinable
  @inline(__always)
  package init() {}

  @inlinable
  @inline(__always)
  package init(
    _ first: UnsafePointer<Element>?, _ second: UnsafePointer<Element>?,
    _ third: UnsafePointer<Element>?, _ fourth: UnsafePointer<Element>?
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// The maximum number of elements in a group.
  @inlinable
  @inline(__always)
  package static var capacity: Int { 4 }

  /// Returns the next address and removes it from the group.
  @inlinable
  @inline(__always)
  package mutating func removeFirst() -> UnsafePointer<Element>? {
    defer { (first, second, third) = (second, third, fourth) }
    return first
  }
}

extension PersistentTable {
  /// Returns the addresses of the elements with the next keys of a list, for at most one group of
  /// keys. A key without an element has the address `nil`. The addresses are valid while the table
  /// is neither changed nor released.
  ///
  /// The memory accesses of one step do not depend on each other, so the processor waits for
  /// several of them at a time. A caller that looks up single keys usually retains something after
  /// each look-up, so that the processor finishes one look-up before it begins the next.
  /// - Complexity: O(1) expected.
  @inlinable
  package static func nextElements(
    _ keys: UnsafeBufferPointer<Key>, from start: Int, in table: UnsafePointer<Self>
  ) -> NextElements<Element> {
    let (seed, index) = (table.pointee.seed, table.pointee.index.word)
    let (top, height) = (table.pointee.top, table.pointee.height)
    let rest = keys.count &- start
    if index.isNone { return NextElements() }
    let slot0 = candidate(keys, start, seed, index)
    let slot1 = rest > 1 ? candidate(keys, start &+ 1, seed, index) : -1
    let slot2 = rest > 2 ? candidate(keys, start &+ 2, seed, index) : -1
    let slot3 = rest > 3 ? candidate(keys, start &+ 3, seed, index) : -1
    let row0 = slot0 < 0 ? nil : pointer(at: slot0, top: top, height: height)
    let row1 = slot1 < 0 ? nil : pointer(at: slot1, top: top, height: height)
    let row2 = slot2 < 0 ? nil : pointer(at: slot2, top: top, height: height)
    let row3 = slot3 < 0 ? nil : pointer(at: slot3, top: top, height: height)
    return NextElements(
      checked(row0, slot0, keys, start, in: table),
      checked(row1, slot1, keys, start &+ 1, in: table),
      checked(row2, slot2, keys, start &+ 2, in: table),
      checked(row3, slot3, keys, start &+ 3, in: table))
  }

  /// Returns the result of `SlotIndex.firstCandidate` for the key at a position in `keys`.
  @inlinable
  @inline(__always)
  static func candidate(
    _ keys: UnsafeBufferPointer<Key>, _ position: Int, _ seed: UInt64, _ index: IndexWord
  ) -> Int {
    SlotIndex.firstCandidate(SlotIndex.tag(keys[position].tableHash(seed: seed)), below: index)
  }

  /// Returns the candidate if it has the key at a position in `keys`. Otherwise, searches for the
  /// key.
  @inlinable
  @inline(__always)
  static func checked(
    _ candidate: UnsafePointer<Element>?, _ slot: Int, _ keys: UnsafeBufferPointer<Key>,
    _ position: Int, in table: UnsafePointer<Self>
  ) -> UnsafePointer<Element>? {
    if slot == -1 { return nil }
    if let candidate, Layout.matches(candidate.pointee, keys[position]) { return candidate }
    return search(keys[position], in: table)
  }

  @inlinable
  @inline(never)
  static func search(_ key: Key, in table: UnsafePointer<Self>) -> UnsafePointer<Element>? {
    address(of: key, in: table)
  }
}
