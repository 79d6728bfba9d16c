public import EntiaCollections
public import Foundation

/// The times of IDs, and the IDs in the order of their times.
///
/// Each ID is stored once, in a run of IDs that have the same time. For each ID, 6 bytes contain a
/// part of the hash of the ID and a part of the hash of its time. These bytes lead from an ID to a
/// few possible times. Only one of these times has a run that contains the ID.
@frozen
@usableFromInline
package struct AgeTable<ID: TableKey & Comparable>: Sendable {
  @usableFromInline typealias Run = ReceivedRun<ID>
  @usableFromInline typealias Order = ReceivedRunOrder<ID>

  /// The IDs in the order of their times. IDs with the same time are in the order of the IDs.
  @usableFromInline var runs = SortedTree<ReceivedRunOrder<ID>>()
  /// The partial hashes of each ID and its time, except for the IDs in `others`.
  @usableFromInline var hashes = SortedTree<AgeHashOrder>()
  /// The distinct times of the IDs, in the order of the hashes of the times.
  @usableFromInline var times = SortedTree<HashedTimeOrder>()
  /// The times of the IDs that are missing in `hashes`. An ID is missing there if another ID has an
  /// equal `AgeHash`.
  @usableFromInline var others = PersistentTable<EntryKeyed<ID, Date>>()

  /// Creates an empty table.
  @inlinable
  package init() {}

  /// The number of IDs.
  @inlinable
  package var count: Int { hashes.count &+ others.count }

  /// Whether there is no ID.
  @inlinable
  package var isEmpty: Bool { runs.isEmpty }

  /// Whether both are the same version.
  @inlinable
  package func isIdentical(to other: Self) -> Bool { runs.isIdentical(to: other.runs) }

  /// Returns the time of an ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package func time(of id: ID) -> Date? {
    if !others.isEmpty, let entry = others[id] { return entry.value }
    let part = AgeHash.part(of: id)
    var hash = hashes.last { $0.ofID <= part }
    while let found = hash, found.ofID == part {
      if let time = time(found.ofTime, of: id) { return time }
      hash = hashes.last { $0.bits < found.bits }
    }
    return nil
  }

  /// Returns the time at which an ID was received. Looks only at the times for which
  /// `AgeHash.part(of:)` returns `part`. Returns `nil` if the ID was received at none of these
  /// times.
  @inlinable
  func time(_ part: UInt64, of id: ID) -> Date? {
    var time = times.last { AgeHash.part(of: $0) <= part }
    while let found = time, AgeHash.part(of: found) == part {
      if contains(id, at: found) { return found }
      time = times.last { HashedTimeOrder.precedes($0, found) }
    }
    return nil
  }

  @inlinable
  func contains(_ id: ID, at time: Date) -> Bool {
    runs.withLast(
      where: { !Order.precedes(time, id, $0) },
      { Self.isSame($0.pointee.time, time) && $0.pointee.contains(id) }) ?? false
  }

  @inlinable
  @inline(__always)
  static func isSame(_ a: Date, _ b: Date) -> Bool {
    HashedTimeOrder.bits(of: a) == HashedTimeOrder.bits(of: b)
  }

  /// Returns a fixed time for both zeros, and another fixed time for all times that are not a
  /// number, because the order does not distinguish these times. Returns any other time unchanged.
  @inlinable
  static func normalized(_ time: Date) -> Date {
    let seconds = time.timeIntervalSinceReferenceDate
    if seconds == 0 { return Date(timeIntervalSinceReferenceDate: 0) }
    return seconds.isNaN ? Date(timeIntervalSinceReferenceDate: .nan) : time
  }
}

extension AgeTable {
  /// Sets the time of IDs.
  /// - Complexity: O(*k* · log *n*) in the number of IDs.
  @inlinable
  package mutating func set(_ ids: some Sequence<ID>, to time: Date) {
    let time = Self.normalized(time)
    let isFirst = isEmpty
    var received: [ID] = []
    received.reserveCapacity(ids.underestimatedCount)
    for id in ids {
      if !isFirst, let old = self.time(of: id) {
        if Self.isSame(old, time) { continue }
        remove(id, at: old)
      }
      received.append(id)
    }
    received.sort()
    if received.isEmpty { return }
    let isNew = times.insert(time)
    if !isNew || received.count == 1 {
      for id in received where received.count == 1 || !contains(id, at: time) {
        place(id, at: time)
        link(id, to: time)
      }
      return
    }
    appendRuns(received, at: time)
  }

  /// Adds IDs that have the same time. The IDs must ascend and may repeat. No run of the table may
  /// have this time before the call.
  @inlinable
  mutating func appendRuns(_ sorted: [ID], at time: Date) {
    var ids = sorted
    if zip(sorted, sorted.dropFirst()).contains(where: { $0 == $1 }) {
      ids.removeAll()
      for id in sorted where ids.last != id { ids.append(id) }
    }
    let isFirst = runs.isEmpty
    var built: [Run] = []
    for start in stride(from: 0, to: ids.count, by: Run.limit) {
      let end = Swift.min(start &+ Run.limit, ids.count)
      let run = Run(time, ids[start], Array(ids[(start &+ 1)..<end]))
      if isFirst { built.append(run) } else { runs.insert(run) }
    }
    if isFirst {
      runs = SortedTree(built)
      // Sorting all at once is faster than one insertion after another.
      let sorted = Self.sorted(ids.map { AgeHash($0, time).bits })
      if !zip(sorted, sorted.dropFirst()).contains(where: { $0 == $1 }) {
        hashes = SortedTree(sorted.lazy.map(AgeHash.init))
        return
      }
    }
    for id in ids { link(id, to: time) }
  }

  /// Returns hashes in ascending order. The hashes are first grouped by their first digits. Few
  /// comparisons are left, because hashes are spread evenly over the groups.
  /// - Complexity: O(*n*) expected.
  @inlinable
  static func sorted(_ hashes: [UInt64]) -> [UInt64] {
    let digits = Swift.min(20, hashes.count.bitWidth - hashes.count.leadingZeroBitCount - 4)
    if digits < 4 { return hashes.sorted() }
    let shift = UInt64(48 - digits)
    var ends = [Int](repeating: 0, count: (1 << digits) + 1)
    for hash in hashes { ends[Int(hash &>> shift) &+ 1] &+= 1 }
    for digit in 1..<ends.count { ends[digit] &+= ends[digit &- 1] }
    var result = hashes
    for hash in hashes {
      let digit = Int(hash &>> shift)
      result[ends[digit]] = hash
      ends[digit] &+= 1
    }
    // The groups are in order now, so that a hash moves only within its group.
    for place in 1..<result.count {
      let hash = result[place]
      var hole = place
      while hole > 0, result[hole &- 1] > hash {
        result[hole] = result[hole &- 1]
        hole &-= 1
      }
      result[hole] = hash
    }
    return result
  }

  /// Removes an ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  package mutating func remove(_ id: ID) {
    if let time = time(of: id) { remove(id, at: time) }
  }

  @inlinable
  mutating func remove(_ id: ID, at time: Date) {
    let isLeft = runs.updateLast(
      where: { !Order.precedes(time, id, $0) }, { $0.remove(id) })
    if isLeft == false {
      runs.remove(Run(time, id))
      let hasOthers = runs.withLast(
        where: { !Order.keyPrecedes(time, $0.time) }, { Self.isSame($0.pointee.time, time) })
      if hasOthers != true { times.remove(time) }
    }
    if others.isEmpty || others.remove(id) == nil { hashes.remove(AgeHash(id, time)) }
  }

  @inlinable
  mutating func link(_ id: ID, to time: Date) {
    if !hashes.insert(AgeHash(id, time)) { others.insert(KeyValueEntry(key: id, value: time)) }
  }

  /// Inserts an ID into a run of IDs with the same time, or into a new run.
  @inlinable
  mutating func place(_ id: ID, at time: Date) {
    let isAfterOne = runs.withLast(
      where: { !Order.precedes(time, id, $0) }, { Self.isSame($0.pointee.time, time) })
    // Runs are changed in place, because an insertion into a copy of a run would copy its array.
    let next = isAfterOne == true ? nil : first(ofRunAfter: id, at: time)
    if isAfterOne == true || next != nil {
      let first = next ?? id
      let second = runs.updateLast(
        where: { !Order.precedes(time, first, $0) }, { $0.insert(id) })
      if let second, let second { runs.insert(second) }
    } else {
      runs.insert(Run(time, id))
    }
  }

  /// Returns the first ID of the run directly after the position that `id` would have at `time`.
  /// Returns `nil` if that run has another time or no room for another ID.
  @inlinable
  func first(ofRunAfter id: ID, at time: Date) -> ID? {
    guard let run = runs.nth(runs.rank { !Order.precedes(time, id, $0) }) else { return nil }
    return Self.isSame(run.time, time) && run.hasRoom ? run.first : nil
  }
}

extension AgeTable: Sequence {
  /// An iterator over the IDs and their times, oldest first.
  @frozen
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    @usableFromInline var runs: SortedSlice<ReceivedRunOrder<ID>>.Iterator
    @usableFromInline var run: Run?
    @usableFromInline var offset = 0

    @inlinable
    init(_ runs: SortedSlice<ReceivedRunOrder<ID>>.Iterator) { self.runs = runs }

    @inlinable
    package mutating func next() -> KeyValueEntry<ID, Date>? {
      if run.map({ offset == $0.count }) ?? true {
        run = runs.next()
        offset = 0
      }
      guard let run else { return nil }
      defer { offset &+= 1 }
      return KeyValueEntry(key: run[offset], value: run.time)
    }
  }

  /// Returns an iterator over the IDs and their times, oldest first. IDs with the same time are in
  /// ascending order.
  @inlinable
  package func makeIterator() -> Iterator { Iterator(runs[0..<runs.count].makeIterator()) }

  /// The number of IDs.
  @inlinable
  package var underestimatedCount: Int { count }
}

extension AgeTable {
  /// The times of an ID in two versions; `nil` for absence.
  package struct Difference: Equatable {
    package let id: ID
    package let old: Date?
    package let new: Date?
  }

  /// Returns the IDs whose times differ from an older version, in the order of the IDs.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func differences(from old: Self) -> [Difference] {
    var (olds, news): ([ID: Date], [ID: Date]) = ([:], [:])
    let runs = runs.differences(from: old.runs) { $0.rest == $1.rest }
    for difference in runs {
      switch difference {
      case .removed(let run): for offset in 0..<run.count { olds[run[offset]] = run.time }
      case .inserted(let run): for offset in 0..<run.count { news[run[offset]] = run.time }
      }
    }
    var result: [Difference] = []
    for (id, time) in news {
      let former = olds.removeValue(forKey: id)
      if former.map({ Self.isSame($0, time) }) ?? false { continue }
      result.append(Difference(id: id, old: former, new: time))
    }
    result += olds.map { Difference(id: $0.key, old: $0.value, new: nil) }
    return result.sorted { $0.id < $1.id }
  }

  /// The entries that are out of order, and the entries whose time is not found by their ID. The
  /// list is empty unless Entia itself has a defect.
  /// - Complexity: O(*n* log *n*).
  var misplaced: [KeyValueEntry<ID, Date>] {
    var result: [KeyValueEntry<ID, Date>] = []
    var (previous, found, listed) = (KeyValueEntry<ID, Date>?.none, 0, Set<UInt64>())
    for entry in self {
      let isInOrder = previous.map {
        IndexOrder.precedes(
          SortedEntry(key: $0.value, id: $0.key), SortedEntry(key: entry.value, id: entry.key))
      }
      let time = time(of: entry.key)
      if isInOrder == false || !(time.map { Self.isSame($0, entry.value) } ?? false) {
        result.append(entry)
      }
      (previous, found) = (entry, found + 1)
      listed.insert(HashedTimeOrder.bits(of: entry.value))
    }
    if found != count || listed.count != times.count, let previous { result.append(previous) }
    return result
  }
}

extension AgeTable: PlacedElements {
  /// Returns the differences from an older version. The order of the entries has no meaning.
  package func placements(from old: Self) -> PlacementDifference<KeyValueEntry<ID, Date>> {
    PlacementDifference(
      unordered: differences(from: old).map { difference in
        (
          difference.old.map { KeyValueEntry(key: difference.id, value: $0) },
          difference.new.map { KeyValueEntry(key: difference.id, value: $0) }
        )
      })
  }

  /// Returns `nil`: the order has no meaning.
  package func element(before element: KeyValueEntry<ID, Date>) -> KeyValueEntry<ID, Date>? { nil }

  /// Returns `nil`: the order has no meaning.
  package func element(after element: KeyValueEntry<ID, Date>) -> KeyValueEntry<ID, Date>? { nil }
}
