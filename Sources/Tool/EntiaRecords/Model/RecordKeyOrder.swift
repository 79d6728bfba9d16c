import EntiaCoding

/// The order of keys, computed from ranks, which are fast to compare. The rank of a number is its
/// integer value; the rank of a text is eight of its bytes.
///
/// Texts with equal ranks are ranked again, by the eight bytes after their common prefix.
struct RecordKeyOrder {
  /// The index of a key in the list, and its rank among the compared keys.
  private struct Entry {
    var rank: UInt64
    let place: Int
  }

  /// The indices of the keys, in the sorted order of the keys.
  private(set) var places: [Int] = []
  /// The number of texts that were read to rank and to compare keys.
  private(set) var textReads = 0
  private let keys: [RecordKey]

  /// Finds the order of keys.
  /// - Complexity: O(*n* log *n*) comparisons of integers, and O(*b*) for the texts, where *b* is
  ///   the number of their bytes. Numbers with a point or an exponent are compared by value.
  init(_ keys: [RecordKey]) {
    self.keys = keys
    places.reserveCapacity(keys.count)
    let numberCount = keys.reduce(0) { $0 + ($1.isNumber ? 1 : 0) }
    var strings: [Entry] = []
    var numbers: [Int] = []
    // A list that grows is moved to other memory each time.
    strings.reserveCapacity(keys.count - numberCount)
    numbers.reserveCapacity(numberCount)
    for (place, key) in keys.enumerated() {
      if key.isNumber {
        numbers.append(place)
      } else {
        strings.append(Entry(rank: 0, place: place))
      }
    }
    appendNumbers(numbers)
    sortTexts(&strings, isRanked: false)
    for entry in strings { places.append(entry.place) }
  }

  private mutating func appendNumbers(_ numbers: [Int]) {
    var integers: [Entry] = []
    // Integers that do not fit into `Int`, by sign. More digits mean a greater magnitude.
    var (below, above): ([Entry], [Entry]) = ([], [])
    for place in numbers {
      guard case .number(let number) = keys[place] else { continue }
      if let value = number.integer {
        integers.append(Entry(rank: UInt64(bitPattern: Int64(value)) ^ (1 << 63), place: place))
      } else if number.isInteger {
        let entry = Entry(rank: UInt64(number.text.utf8.count), place: place)
        if number.text.utf8.first == Byte.minus { below.append(entry) } else { above.append(entry) }
      } else {
        places += numbers.sorted { keys[$0] < keys[$1] }
        return
      }
    }
    sortTexts(&below, isRanked: true)
    places += below.reversed().map(\.place)
    integers.sort { $0.rank != $1.rank ? $0.rank < $1.rank : keys[$0.place] < keys[$1.place] }
    places += integers.map(\.place)
    sortTexts(&above, isRanked: true)
    places += above.map(\.place)
  }

  /// Sorts entries by their texts. With `isRanked`, the entries already have their first ranks.
  private mutating func sortTexts(_ entries: inout [Entry], isRanked: Bool) {
    var pending: [(range: Range<Int>, depth: Int)] = []
    if isRanked {
      entries.sort { $0.rank < $1.rank }
      Self.forEachRun(entries, 0..<entries.count) { pending.append(($0, 0)) }
    } else {
      pending.append((0..<entries.count, 0))
    }
    while let (range, depth) = pending.popLast() {
      if range.count < 12 {
        sortByComparing(&entries, range)
        continue
      }
      let start = sharedLength(entries[range], from: depth)
      var longest = 0
      for index in range {
        let text = text(entries[index].place)
        longest = Swift.max(longest, text.utf8.count)
        entries[index].rank = text.rank(from: start)
      }
      entries.withUnsafeMutableBufferPointer {
        var part = UnsafeMutableBufferPointer(rebasing: $0[range])
        part.sort { $0.rank < $1.rank }
      }
      // A rank covers eight bytes. If no text has bytes after its rank, texts with equal ranks
      // differ at most in trailing zero bytes. More ranks could not distinguish such texts.
      var ended: [Range<Int>] = []
      Self.forEachRun(entries, range) { run in
        if longest <= start + 8 { ended.append(run) } else { pending.append((run, start + 8)) }
      }
      for run in ended { sortByComparing(&entries, run) }
    }
  }

  /// Calls the closure with each range of two or more adjacent entries with equal ranks.
  private static func forEachRun(
    _ entries: [Entry], _ range: Range<Int>, _ body: (Range<Int>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, entries[end].rank == entries[start].rank { end += 1 }
      if end - start > 1 { body(start..<end) }
      start = end
    }
  }

  private mutating func sortByComparing(_ entries: inout [Entry], _ range: Range<Int>) {
    var reads = 0
    entries.withUnsafeMutableBufferPointer {
      var part = UnsafeMutableBufferPointer(rebasing: $0[range])
      part.sort {
        reads += 2
        return keys[$0.place].text.precedesExactly(keys[$1.place].text)
      }
    }
    textReads += reads
  }

  /// Returns the length of the common prefix of the texts in bytes. The first `depth` bytes must be
  /// known to be equal.
  private mutating func sharedLength(_ entries: ArraySlice<Entry>, from depth: Int) -> Int {
    guard let first = entries.first else { return depth }
    let bytes = Array(text(first.place).utf8)
    var shared = bytes.count
    for entry in entries.dropFirst() {
      if shared <= depth { return depth }
      shared = text(entry.place).sharedLength(with: bytes, from: depth, limit: shared)
    }
    return Swift.max(shared, depth)
  }

  private mutating func text(_ place: Int) -> String {
    textReads += 1
    return keys[place].text
  }
}

extension String {
  /// Returns the eight bytes from an offset as a big-endian integer. Bytes after the end are zeros.
  fileprivate func rank(from offset: Int) -> UInt64 {
    func rank(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
      let raw = UnsafeRawBufferPointer(bytes)
      if offset + 8 <= raw.count {
        return UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      var rank: UInt64 = 0
      for index in offset..<offset + 8 {
        rank = rank << 8 | (index < raw.count ? UInt64(raw[index]) : 0)
      }
      return rank
    }
    return withBytes(rank) ?? Array(utf8).withUnsafeBufferPointer(rank)
  }

  /// Returns the length of the common prefix of this text and another one in bytes, but at most a
  /// limit. The bytes before the offset must be known to be equal.
  fileprivate func sharedLength(with other: [UInt8], from offset: Int, limit: Int) -> Int {
    func length(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
      let end = Swift.min(limit, bytes.count, other.count)
      var index = offset
      while index < end, bytes[index] == other[index] { index += 1 }
      return Swift.min(index, end)
    }
    return withBytes(length) ?? Array(utf8).withUnsafeBufferPointer(length)
  }
}

extension Sequence {
  /// Returns the elements, sorted by a key of each.
  func sorted(byKey key: (Element) -> RecordKey) -> [Element] {
    let elements = Array(self)
    return RecordKeyOrder(elements.map(key)).places.map { elements[$0] }
  }
}
