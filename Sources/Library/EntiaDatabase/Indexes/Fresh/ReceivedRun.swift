public import EntiaCollections
public import Foundation

/// Some of the IDs that were received at one time, in ascending order. A run has at most `limit`
/// IDs, so that a change of the run copies only a small array.
@frozen
@usableFromInline
package struct ReceivedRun<ID: TableKey & Comparable>: Sendable {
  /// The largest number of IDs.
  @inlinable
  static var limit: Int { 64 }

  @usableFromInline let time: Date
  @usableFromInline var first: ID
  /// The IDs after `first`. A run of one ID therefore needs no memory for an array.
  @usableFromInline var rest: [ID]

  @inlinable
  init(_ time: Date, _ first: ID, _ rest: [ID] = []) {
    self.time = time
    self.first = first
    self.rest = rest
  }

  @inlinable
  var count: Int { rest.count &+ 1 }

  /// Whether there is room for another ID.
  @inlinable
  var hasRoom: Bool { count < Self.limit }

  /// The ID at an offset.
  @inlinable
  subscript(offset: Int) -> ID { offset == 0 ? first : rest[offset &- 1] }

  /// Returns the number of IDs in `rest` that precede an ID.
  @inlinable
  func countPreceding(_ id: ID) -> Int { rest.indices.partition { rest[$0] < id } }

  @inlinable
  func contains(_ id: ID) -> Bool {
    if first == id { return true }
    let place = countPreceding(id)
    return place < rest.count && rest[place] == id
  }

  /// Inserts an ID that the run does not contain.
  /// - Returns: A new run to store, if this run was full. If the inserted ID follows all other IDs,
  ///   the new run consists of this ID. Otherwise, the new run is the second half of this run.
  @inlinable
  mutating func insert(_ id: ID) -> Self? {
    if id < first {
      let second = hasRoom ? nil : split()
      rest.insert(first, at: 0)
      first = id
      return second
    }
    let place = countPreceding(id)
    if hasRoom {
      rest.insert(id, at: place)
      return nil
    }
    // An ID after the last one begins a new run, and the full run is not split. IDs that arrive in
    // order thus fill one run after another.
    if place == rest.count { return Self(time, id) }
    var second = split()
    if second.first < id { _ = second.insert(id) } else { rest.insert(id, at: place) }
    return second
  }

  /// Removes the second half, and returns it.
  @inlinable
  mutating func split() -> Self {
    let middle = rest.count / 2
    let second = Self(time, rest[middle], Array(rest[(middle &+ 1)...]))
    rest = Array(rest[..<middle])
    return second
  }

  /// Removes an ID that the run contains.
  /// - Returns: `false` if the run has no other ID; the run is not changed then.
  @inlinable
  mutating func remove(_ id: ID) -> Bool {
    if rest.isEmpty { return false }
    if first == id {
      first = rest.removeFirst()
    } else {
      rest.remove(at: countPreceding(id))
    }
    // Copied without the unused memory, if most IDs have been removed.
    if rest.count &* 4 < rest.capacity { rest = rest.map { $0 } }
    return true
  }
}

/// The order of runs: by time, and then by the first ID.
@frozen
@usableFromInline
package enum ReceivedRunOrder<ID: TableKey & Comparable>: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: ReceivedRun<ID>) -> Date { element.time }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: Date, _ b: Date) -> Bool {
    IndexOrder<Date, ID>.precedes(a, b)
  }

  @inlinable
  @inline(__always)
  package static func tiePrecedes(_ a: ReceivedRun<ID>, _ b: ReceivedRun<ID>) -> Bool {
    a.first < b.first
  }

  /// Whether a time and an ID precede a run.
  @inlinable
  @inline(__always)
  static func precedes(_ time: Date, _ id: ID, _ run: ReceivedRun<ID>) -> Bool {
    IndexOrder.precedes(SortedEntry(key: time, id: id), SortedEntry(key: run.time, id: run.first))
  }
}

/// The order of times by their hashes.
@frozen
@usableFromInline
package enum HashedTimeOrder: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: Date) -> UInt64 { hash(of: element) }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: UInt64, _ b: UInt64) -> Bool { a < b }

  @inlinable
  @inline(__always)
  package static func tiePrecedes(_ a: Date, _ b: Date) -> Bool { bits(of: a) < bits(of: b) }

  @inlinable
  @inline(__always)
  static func hash(of time: Date) -> UInt64 { HashMixing.hash(bits(of: time)) }

  @inlinable
  @inline(__always)
  static func bits(of time: Date) -> UInt64 { time.timeIntervalSinceReferenceDate.bitPattern }
}

/// A part of the hash of an ID, followed by a part of the hash of its time: 28 and 20 bits.
///
/// The bits are stored as three 16-bit numbers, because one 64-bit number would take 8 bytes.
@frozen
@usableFromInline
package struct AgeHash: Sendable {
  @usableFromInline let high: UInt16
  @usableFromInline let middle: UInt16
  @usableFromInline let low: UInt16

  /// Creates a hash from the lower 48 bits of a number.
  @inlinable
  @inline(__always)
  init(_ bits: UInt64) {
    high = UInt16(truncatingIfNeeded: bits &>> 32)
    middle = UInt16(truncatingIfNeeded: bits &>> 16)
    low = UInt16(truncatingIfNeeded: bits)
  }

  @inlinable
  @inline(__always)
  init(_ id: some TableKey, _ time: Date) {
    self.init(Self.part(of: id) &<< 20 | Self.part(of: time))
  }

  @inlinable
  @inline(__always)
  var bits: UInt64 { UInt64(high) &<< 32 | UInt64(middle) &<< 16 | UInt64(low) }

  /// The 28 bits that come from the hash of the ID.
  @inlinable
  @inline(__always)
  var ofID: UInt64 { bits &>> 20 }

  /// The 20 bits that come from the hash of the time.
  @inlinable
  @inline(__always)
  var ofTime: UInt64 { bits & 0xF_FFFF }

  @inlinable
  @inline(__always)
  static func part(of id: some TableKey) -> UInt64 { id.tableHash &>> 36 }

  @inlinable
  @inline(__always)
  static func part(of time: Date) -> UInt64 { HashedTimeOrder.hash(of: time) &>> 44 }
}

/// The ascending order of hashes.
@frozen
@usableFromInline
package enum AgeHashOrder: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: AgeHash) -> UInt64 { element.bits }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: UInt64, _ b: UInt64) -> Bool { a < b }

  @inlinable
  @inline(__always)
  package static func tiePrecedes(_ a: AgeHash, _ b: AgeHash) -> Bool { false }

  @inlinable
  @inline(__always)
  package static func precedes(_ a: AgeHash, _ b: AgeHash) -> Bool { a.bits < b.bits }
}
