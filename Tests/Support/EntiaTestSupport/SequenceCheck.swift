/// Checks that a sequence of known elements behaves as the standard library requires.
///
/// A closure compares the elements, so that elements of any type can be checked.
public struct SequenceCheck<Element> {
  /// The violations that were found, each as a sentence.
  public private(set) var violations: [String] = []

  let expected: [Element]
  let areEqual: (Element, Element) -> Bool

  /// Creates a check.
  /// - Parameters:
  ///   - expected: The elements that the sequence must have, in order.
  ///   - areEqual: Whether two elements are equal.
  public init(expecting expected: [Element], by areEqual: @escaping (Element, Element) -> Bool) {
    self.expected = expected
    self.areEqual = areEqual
  }

  /// Checks a sequence that can be iterated more than once.
  /// - Parameter sequence: The sequence.
  public mutating func checkSequence(_ sequence: some Sequence<Element>) {
    for pass in ["first", "second"] {
      var elements: [Element] = []
      for element in sequence { elements.append(element) }
      require(elements, "the \(pass) pass")
    }
    // The standard library's algorithms may stop the program if the sequence is invalid.
    guard violations.isEmpty else { return }
    require(Array(sequence), "an array of it")
    require(sequence.map { $0 }, "map")
    if sequence.underestimatedCount < 0 || sequence.underestimatedCount > expected.count {
      report("underestimatedCount is \(sequence.underestimatedCount) of \(expected.count)")
    }
    if let elements = sequence.withContiguousStorageIfAvailable({ Array($0) }) {
      require(elements, "contiguous storage")
    }
    checkIterator(of: sequence)
  }

  /// Checks that two iterators are independent, and that an exhausted one stays exhausted.
  private mutating func checkIterator(of sequence: some Sequence<Element>) {
    var iterator = sequence.makeIterator()
    var other = sequence.makeIterator()
    var elements: [Element] = []
    var others: [Element] = []
    while let element = iterator.next() {
      elements.append(element)
      if elements.count % 2 == 0, let element = other.next() { others.append(element) }
    }
    while let element = other.next() { others.append(element) }
    require(elements, "an iterator")
    require(others, "a second iterator")
    for _ in 0..<3 where iterator.next() != nil {
      report("an exhausted iterator returned an element")
    }
  }

  mutating func require(_ found: [Element], _ place: String, _ wanted: [Element]? = nil) {
    let wanted = wanted ?? expected
    if found.count == wanted.count, zip(found, wanted).allSatisfy(areEqual) { return }
    report("\(place) gave \(found), not \(wanted)")
  }

  mutating func require(_ found: Element, _ place: String, _ wanted: Element) {
    if !areEqual(found, wanted) { report("\(place) gave \(found), not \(wanted)") }
  }

  mutating func report(_ violation: String) { violations.append(violation) }

  mutating func add(_ other: Self, _ place: String) {
    violations += other.violations.map { "\(place): \($0)" }
  }
}
