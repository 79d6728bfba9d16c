extension IdentifiedArraySlice: RandomAccessCollection {
  /// A position in the whole array.
  public typealias Index = Int
  /// The positions of the elements.
  public typealias Indices = Range<Int>
  /// A slice of a slice.
  public typealias SubSequence = Self

  /// The position of the first element.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { positions.lowerBound }

  /// The position after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { positions.upperBound }

  /// The number of elements.
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { positions.count }

  /// Returns the next position.
  @inlinable
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the previous position.
  @inlinable
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeIterator() -> IdentifiedArray<ID, Element>.Iterator {
    IdentifiedArray.Iterator(array, stored)
  }

  @inlinable
  @inline(__always)
  func checkElement(at position: Int) {
    precondition(positions.contains(position), "Position out of range")
  }

  @inlinable
  @inline(__always)
  func check(_ bounds: Range<Int>) {
    precondition(
      bounds.lowerBound >= positions.lowerBound && bounds.upperBound <= positions.upperBound,
      "Positions out of range")
  }
}

extension IdentifiedArraySlice: MutableCollection {
  /// The element at a position. An assignment has the effect that it has in an array of the slice's
  /// elements.
  /// - Precondition: The position is valid, and a change in place keeps the ID.
  /// - Complexity: O(log *n*), and O(*k*) for the first change of a slice of *k* elements.
  @inlinable
  public subscript(position: Int) -> Element {
    @inline(__always)
    get {
      checkElement(at: position)
      return array[position &- origin]
    }
    set {
      checkElement(at: position)
      detach()
      array[position &- origin] = newValue
    }
    @inline(__always)
    _modify {
      checkElement(at: position)
      detach()
      yield &array[position &- origin]
    }
  }

  /// The elements at a range of positions. Assigned elements are assigned one after the other.
  /// - Precondition: The positions are valid, and there are as many assigned elements.
  /// - Complexity: O(1) to read, O(*k* log *n*) to assign *k* elements.
  @inlinable
  public subscript(bounds: Range<Int>) -> Self {
    get {
      check(bounds)
      var slice = self
      slice.positions = bounds
      return slice
    }
    set {
      check(bounds)
      detach()
      array[(bounds.lowerBound &- origin)..<(bounds.upperBound &- origin)] = newValue
    }
  }
}

extension IdentifiedArraySlice: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {
  /// Creates a slice without elements.
  @inlinable
  public init() { self.init(IdentifiedArray(), 0..<0) }

  /// Replaces the elements at a range of positions, with the effect that it has in an array of the
  /// slice's elements.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements, and the number of all elements in the first change of a slice.
  @inlinable
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    check(range)
    detach()
    array.replaceSubrange(
      (range.lowerBound &- origin)..<(range.upperBound &- origin), with: elements)
    positions = startIndex..<(startIndex + array.count)
  }
}
