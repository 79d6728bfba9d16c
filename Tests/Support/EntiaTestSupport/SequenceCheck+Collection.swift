extension SequenceCheck {
  /// Checks a collection: index traversal in both directions, offsets with limits on both sides and
  /// outside, distances, and slices of slices.
  ///
  /// The collection must not stop the program in cases in which the standard library's `Array` and
  /// its slices do not: a limit may be on the other side of the start or outside the collection.
  ///
  /// - Parameters:
  ///   - collection: The collection. If it has more than a few elements, samples are checked.
  ///   - outside: Indices outside the collection that are used as limits.
  public mutating func checkCollection<Checked: RandomAccessCollection>(
    _ collection: Checked, limits outside: [Checked.Index] = []
  ) where Checked.Element == Element {
    checkCollection(collection, limits: outside, depth: 2)
  }

  mutating func checkCollection<Checked: RandomAccessCollection>(
    _ collection: Checked, limits outside: [Checked.Index], depth: Int
  ) where Checked.Element == Element {
    checkSequence(collection)
    let indices = walk(collection)
    guard violations.isEmpty else { return }
    checkOffsets(collection, indices, outside)
    guard violations.isEmpty else { return }
    checkElements(collection, indices)
    if depth > 0 { checkSlices(collection, indices, outside, depth: depth) }
  }

  /// Iterates over the indices forward and backward. Returns the indices, including the end.
  private mutating func walk<Checked: RandomAccessCollection>(
    _ collection: Checked
  ) -> [Checked.Index] where Checked.Element == Element {
    var indices: [Checked.Index] = []
    var index = collection.startIndex
    while index != collection.endIndex, indices.count <= expected.count {
      indices.append(index)
      let next = collection.index(after: index)
      if next <= index { report("the index after \(index) is \(next)") }
      collection.formIndex(after: &index)
      if next != index { report("formIndex(after:) gave \(index), not \(next)") }
    }
    indices.append(index)
    if indices.count != expected.count + 1 {
      report("a walk passes \(indices.count - 1) indices, not \(expected.count)")
      return indices
    }
    for place in indices.indices.dropFirst().reversed() {
      let previous = collection.index(before: indices[place])
      if previous != indices[place - 1] {
        report("the index before \(indices[place]) is \(previous)")
      }
      collection.formIndex(before: &index)
      if previous != index { report("formIndex(before:) gave \(index), not \(previous)") }
    }
    return indices
  }

  private mutating func checkElements<Checked: RandomAccessCollection>(
    _ collection: Checked, _ indices: [Checked.Index]
  ) where Checked.Element == Element {
    let count = expected.count
    if collection.count != count { report("count is \(collection.count), not \(count)") }
    if collection.isEmpty != expected.isEmpty { report("isEmpty is \(collection.isEmpty)") }
    require(indices.dropLast().map { collection[$0] }, "subscripting")
    require(collection.indices.map { collection[$0] }, "subscripting by its indices")
    require(collection.reversed(), "reversed()", expected.reversed())
    require(collection.first.map { [$0] } ?? [], "first", Array(expected.prefix(1)))
    require(collection.last.map { [$0] } ?? [], "last", Array(expected.suffix(1)))
    require(Array(collection.dropFirst()), "dropFirst()", Array(expected.dropFirst()))
    require(Array(collection.dropLast(2)), "dropLast(2)", Array(expected.dropLast(2)))
    require(Array(collection.prefix(2)), "prefix(2)", Array(expected.prefix(2)))
    require(Array(collection.suffix(2)), "suffix(2)", Array(expected.suffix(2)))
  }

  /// Compares offsets and distances with those of an array.
  private mutating func checkOffsets<Checked: RandomAccessCollection>(
    _ collection: Checked, _ indices: [Checked.Index], _ outside: [Checked.Index]
  ) where Checked.Element == Element {
    let places = Self.sample(indices.count)
    for from in places {
      for to in places {
        let found = collection.distance(from: indices[from], to: indices[to])
        if found != to - from { report("the distance from \(from) to \(to) is \(found)") }
        let index = collection.index(indices[from], offsetBy: to - from)
        if index != indices[to] { report("\(from) offset by \(to - from) is \(index)") }
        for limit in Self.few(indices) + outside {
          checkLimit(collection, indices, from, to, limit)
        }
      }
    }
  }

  private mutating func checkLimit<Checked: RandomAccessCollection>(
    _ collection: Checked, _ indices: [Checked.Index], _ from: Int, _ to: Int,
    _ limit: Checked.Index
  ) where Checked.Element == Element {
    let start = indices[from]
    let passes =
      to >= from
      ? limit >= start && limit < indices[to] : limit <= start && limit > indices[to]
    let wanted = passes ? nil : indices[to]
    let distance = to - from
    let found = collection.index(start, offsetBy: distance, limitedBy: limit)
    // Only a violation needs the text.
    func place() -> String { "\(start) offset by \(distance), limited by \(limit)," }
    if found != wanted { report("\(place()) is \(String(describing: found))") }
    var index = start
    let isReached = collection.formIndex(&index, offsetBy: distance, limitedBy: limit)
    if isReached == passes || index != wanted ?? limit {
      report("\(place()) was formed as \(index)")
    }
    // An offset beyond the ends is allowed only with a limit before them.
    guard limit >= indices[0], limit <= indices[indices.count - 1] else { return }
    for distance in [indices.count + 1, -indices.count - 1] {
      if distance > 0 ? limit < start : limit > start { continue }
      if let found = collection.index(start, offsetBy: distance, limitedBy: limit) {
        report("\(start) offset by \(distance), limited by \(limit), is \(found)")
      }
    }
  }

  /// Checks slices as independent collections, with other indices of the whole collection as
  /// limits.
  private mutating func checkSlices<Checked: RandomAccessCollection>(
    _ collection: Checked, _ indices: [Checked.Index], _ outside: [Checked.Index], depth: Int
  ) where Checked.Element == Element {
    let count = indices.count
    // Slices of slices are many: few places of each, unless the tests are scaled.
    let places =
      depth > 1 || isScaled || count < 3
      ? Self.sample(count) : [0, count / 2, count - 1]
    for from in places {
      for to in places where to >= from {
        let slice = collection[indices[from]..<indices[to]]
        if slice.startIndex != indices[from] || slice.endIndex != indices[to] {
          report("the slice \(from)..<\(to) has the bounds \(slice.startIndex)..<\(slice.endIndex)")
          continue
        }
        var check = Self(expecting: Array(expected[from..<to]), by: areEqual)
        check.checkCollection(slice, limits: Self.few(indices) + outside, depth: depth - 1)
        add(check, "\(from)..<\(to)")
      }
    }
  }

  /// Returns all places if there are few, else some of them, including both ends.
  private static func sample(_ count: Int) -> [Int] {
    if count <= 6 { return Array(0..<count) }
    return [0, 1, count / 3, count / 2, count - 2, count - 1]
  }

  private static func few<Index>(_ indices: [Index]) -> [Index] {
    sample(indices.count).map { indices[$0] }
  }
}

extension SequenceCheck where Element: Equatable {
  /// Creates a check that compares elements by `==`.
  /// - Parameter expected: The elements that the sequence must have, in order.
  public init(expecting expected: [Element]) { self.init(expecting: expected, by: ==) }

  /// Returns the violations of a sequence.
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - expected: The elements that it must have, in order.
  /// - Returns: The violations, each as a sentence.
  public static func violations(
    of sequence: some Sequence<Element>, expecting expected: [Element]
  ) -> [String] {
    var check = Self(expecting: expected)
    check.checkSequence(sequence)
    return check.violations
  }

  /// Returns the violations of a collection with integer indices.
  ///
  /// Limits on both sides of the collection are checked, too.
  /// - Parameters:
  ///   - collection: The collection.
  ///   - expected: The elements that it must have, in order.
  /// - Returns: The violations, each as a sentence.
  public static func violations<Checked: RandomAccessCollection>(
    of collection: Checked, expecting expected: [Element]
  ) -> [String] where Checked.Element == Element, Checked.Index == Int {
    var check = Self(expecting: expected)
    check.checkCollection(
      collection,
      limits: [collection.startIndex - 2, collection.startIndex - 1, collection.endIndex + 1])
    return check.violations
  }
}
