public import EntiaCollections
public import Foundation

/// The times of rows with adjacent IDs: a node of an `AgeTable`.
@frozen
@usableFromInline
package struct AgeBlock<ID: TableKey & Comparable> {
  @usableFromInline package typealias Entry = KeyValueEntry<ID, Date>

  /// No ID in the block is less, and every ID in the block before is.
  @usableFromInline var bound: ID
  /// The IDs, in ascending order, each with its time.
  @usableFromInline var entries: [Entry]
  /// The oldest entry.
  @usableFromInline var oldest: SortedEntry<Date, ID>

  /// Creates a block of entries in the order of their IDs, at least one.
  @inlinable
  init(_ entries: [Entry], bound: ID) {
    self.bound = bound
    self.entries = entries
    oldest = Self.oldest(of: entries)
  }

  /// The number of entries in a full block: about 1 KB, so that a copy for a single change is
  /// cheap.
  @inlinable
  @inline(__always)
  static var capacity: Int { max(8, 960 / MemoryLayout<Entry>.stride) }

  /// Returns room for entries in a few steps, so that little of it is unused.
  @inlinable
  static func room(for count: Int) -> Int {
    let step = capacity / 4
    return (count &+ step &- 1) / step &* step
  }

  @inlinable
  static func oldest(of entries: [Entry]) -> SortedEntry<Date, ID> {
    var oldest = SortedEntry(key: entries[0].value, id: entries[0].key)
    // Entries of one time are in the order of their IDs.
    for entry in entries where IndexOrder<Date, ID>.keyPrecedes(entry.value, oldest.key) {
      oldest = SortedEntry(key: entry.value, id: entry.key)
    }
    return oldest
  }

  /// Returns blocks of nearly equal sizes.
  /// - Parameters:
  ///   - entries: The entries, in the order of their IDs.
  ///   - count: The number of blocks.
  @inlinable
  static func blocks(of entries: [Entry], count: Int) -> [Self] {
    if count == 1, let first = entries.first { return [Self(entries, bound: first.key)] }
    return (0..<count).map { index in
      let start = entries.count &* index / count
      let end = entries.count &* (index &+ 1) / count
      return Self(Array(entries[start..<end]), bound: entries[start].key)
    }
  }

  /// Returns the number of blocks for entries.
  @inlinable
  static func blockCount(of count: Int) -> Int { (count &+ capacity &- 1) / capacity }

  /// Returns the number of entries whose IDs precede one.
  @inlinable
  @inline(__always)
  func position(of id: ID) -> Int {
    entries.withUnsafeBufferPointer { entries in
      var (start, rest) = (0, entries.count)
      while rest > 0 {
        let half = rest &>> 1
        if entries[start &+ half].key < id {
          start &+= half &+ 1
          rest &-= half &+ 1
        } else {
          rest = half
        }
      }
      return start
    }
  }

  /// Returns the time of an ID, or `nil`.
  @inlinable
  @inline(__always)
  func time(of id: ID) -> Date? {
    let position = position(of: id)
    return position < entries.count && entries[position].key == id
      ? entries[position].value : nil
  }

  /// Sets the time of IDs that belong into the block.
  /// - Parameters:
  ///   - ids: The IDs, in ascending order, at least one.
  ///   - time: The time.
  @inlinable
  mutating func set(_ ids: UnsafeBufferPointer<ID>, to time: Date) {
    let first = ids[0]
    if first < bound { bound = first }
    if ids.count == 1 { set(first, to: time) } else { setSeveral(ids, to: time) }
    let candidate = SortedEntry(key: time, id: first)
    if Self.contains(ids, oldest.id) {
      oldest = Self.oldest(of: entries)
    } else if IndexOrder.precedes(candidate, oldest) {
      oldest = candidate
    }
  }

  @inlinable
  static func contains(_ ids: UnsafeBufferPointer<ID>, _ id: ID) -> Bool {
    if id < ids[0] || ids[ids.count &- 1] < id { return false }
    return ids.contains(id)
  }

  @inlinable
  mutating func set(_ id: ID, to time: Date) {
    let position = position(of: id)
    if position < entries.count, entries[position].key == id {
      entries[position].value = time
      return
    }
    entries.reserveCapacity(Self.room(for: entries.count &+ 1))
    entries.insert(Entry(key: id, value: time), at: position)
  }

  @inlinable
  mutating func setSeveral(_ ids: UnsafeBufferPointer<ID>, to time: Date) {
    var merged: [Entry] = []
    var added = ids.count
    for id in ids where self.time(of: id) != nil { added &-= 1 }
    merged.reserveCapacity(entries.count &+ added)
    var index = 0
    for id in ids {
      while index < entries.count, entries[index].key < id {
        merged.append(entries[index])
        index &+= 1
      }
      if index < entries.count, entries[index].key == id { index &+= 1 }
      merged.append(Entry(key: id, value: time))
    }
    merged.append(contentsOf: entries[index...])
    entries = merged
  }

  /// Removes the entry of an ID, which the block must have. The oldest entry of an empty block is
  /// meaningless.
  @inlinable
  mutating func remove(_ id: ID) {
    entries.remove(at: position(of: id))
    if id == oldest.id, !entries.isEmpty { oldest = Self.oldest(of: entries) }
  }

  /// Keeps the first entries if there are too many, and returns blocks of the others.
  @inlinable
  mutating func split() -> [Self] {
    if entries.count <= Self.capacity { return [] }
    var blocks = Self.blocks(of: entries, count: Self.blockCount(of: entries.count))
    blocks[0].bound = bound
    self = blocks.removeFirst()
    return blocks
  }
}

extension AgeBlock: Sendable {}

/// The order of blocks: by their bounds.
///
/// Two versions of a block differ by their memory, so that the difference of two trees has both.
@frozen
@usableFromInline
package enum AgeBlockOrder<ID: TableKey & Comparable>: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of block: AgeBlock<ID>) -> ID { block.bound }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: ID, _ b: ID) -> Bool { a < b }

  @inlinable
  package static func tiePrecedes(_ a: AgeBlock<ID>, _ b: AgeBlock<ID>) -> Bool {
    memory(of: a) < memory(of: b)
  }

  @inlinable
  static func memory(of block: AgeBlock<ID>) -> UInt {
    block.entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
