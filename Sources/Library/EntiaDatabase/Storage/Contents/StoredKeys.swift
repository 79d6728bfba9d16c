/// The byte ranges in the rows on which the relationships and indexes of a database depend, in the
/// order of these parts.
@frozen
@usableFromInline
struct StoredKeys {
  /// The byte ranges of one part.
  @frozen
  @usableFromInline
  struct Part {
    /// The index of the part's first number in `numbers`; -1 when the ranges are not known.
    var start: Int
    var end: Int
  }

  let parts: UnsafeMutablePointer<Part>
  /// The number of relationships and indexes.
  @usableFromInline let count: Int
  /// Pairs of an offset and a number of bytes.
  let numbers: UnsafeMutablePointer<Int>

  // The unsafe steps are sound because
  // - the memory is written once, here, and freed by the layout that owns the keys;
  // - the parts are visited in the same order every time, as `visitParts` requires;
  // - a range is that of a stored property of the rows that are compared.

  init(_ ranges: [[Range<Int>]?]) {
    count = ranges.count
    parts = .allocate(capacity: count)
    var numbers: [Int] = []
    for (position, ranges) in ranges.enumerated() {
      var part = Part(start: -1, end: -1)
      if let ranges {
        part.start = numbers.count
        for range in ranges { numbers += [range.lowerBound, range.count] }
        part.end = numbers.count
      }
      (parts + position).initialize(to: part)
    }
    self.numbers = .allocate(capacity: numbers.count)
    self.numbers.initialize(from: numbers, count: numbers.count)
  }

  func deallocate() {
    parts.deallocate()
    numbers.deallocate()
  }

  /// Returns whether all ranges of a part have the same bytes in two rows; `false` when the ranges
  /// are not known.
  // Not inlined: every kind of write to every table would contain it once for each part.
  @usableFromInline
  func areSame(_ position: Int, in old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    let part = parts[position]
    if part.start < 0 { return false }
    var place = part.start
    while place < part.end {
      let offset = numbers[place]
      if !Self.haveSameBytes(old + offset, new + offset, numbers[place &+ 1]) { return false }
      place &+= 2
    }
    return true
  }

  @inline(__always)
  private static func haveSameBytes(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int
  ) -> Bool {
    var place = 0
    while place &+ 8 <= count {
      let word = a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word != b.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      place &+= 8
    }
    while place < count {
      let byte = a.load(fromByteOffset: place, as: UInt8.self)
      if byte != b.load(fromByteOffset: place, as: UInt8.self) { return false }
      place &+= 1
    }
    return true
  }
}
