/// An index from the hash of an ID to the position of its row: open addressing over plain words.
@frozen
@usableFromInline
struct RowIndex {
  /// The upper half of the hash, and the position plus one; 0 for an empty entry.
  @usableFromInline var entries: [UInt64] = []
  @usableFromInline var count = 0
  @usableFromInline var mask = -1

  @inlinable
  init() {}

  /// Returns the matching position, among those with an equal upper half of the hash.
  @inlinable
  @inline(__always)
  func find(_ hash: UInt64, _ matches: (Int) -> Bool) -> Int? {
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
  mutating func add(_ hash: UInt64, _ position: Int) {
    if (count + 1) * 4 > entries.count * 3 { grow() }
    count += 1
    set((hash >> 32) << 32 | UInt64(position + 1))
  }

  @inlinable
  mutating func set(_ entry: UInt64) {
    // The stored half of the hash determines the place of an entry, so that growing needs no other
    // hashes.
    var place = Int(truncatingIfNeeded: entry >> 32) & mask
    while entries[place] != 0 { place = (place + 1) & mask }
    entries[place] = entry
  }

  @usableFromInline
  mutating func grow() {
    let old = entries
    entries = Array(repeating: 0, count: max(16, old.count * 2))
    mask = entries.count - 1
    for entry in old where entry != 0 { set(entry) }
  }
}
