/// An index from the hash of an ID to the position of its row: open addressing over plain words.
@frozen
@usableFromInline
package struct RowIndex: ~Copyable {
  /// The upper half of the hash, and the position plus one; 0 for an empty entry.
  @usableFromInline var entries: UnsafeMutablePointer<UInt64>
  @usableFromInline var count = 0
  /// The number of entries less one, or -1 if there are none.
  @usableFromInline var mask = -1

  @inlinable
  package init() { entries = .allocate(capacity: 0) }

  @inlinable
  deinit { entries.deallocate() }

  /// Returns the matching position, among the positions with an equal upper half of the hash.
  @inlinable
  @inline(__always)
  package func find(_ hash: UInt64, _ matches: (Int) -> Bool) -> Int? {
    guard mask >= 0 else { return nil }
    var place = Int(truncatingIfNeeded: hash >> 32) & mask
    while true {
      let entry = entries[place]
      if entry == 0 { return nil }
      let position = Int(UInt32(truncatingIfNeeded: entry)) - 1
      if entry >> 32 == hash >> 32, matches(position) { return position }
      place = (place + 1) & mask
    }
  }

  /// Adds a position that is not in the index.
  @inlinable
  package mutating func add(_ hash: UInt64, _ position: Int) {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    count += 1
    set((hash >> 32) << 32 | UInt64(position + 1))
  }

  @inlinable
  mutating func set(_ entry: UInt64) {
    // The stored half of the hash determines the slot of an entry, so that growing does not need
    // the whole hash.
    var place = Int(truncatingIfNeeded: entry >> 32) & mask
    while entries[place] != 0 { place = (place + 1) & mask }
    entries[place] = entry
  }

  @usableFromInline
  mutating func grow() {
    let (old, oldCount) = (entries, mask + 1)
    let count = max(16, oldCount * 2)
    entries = .allocate(capacity: count)
    entries.initialize(repeating: 0, count: count)
    mask = count - 1
    for index in 0..<oldCount where old[index] != 0 { set(old[index]) }
    old.deallocate()
  }
}
