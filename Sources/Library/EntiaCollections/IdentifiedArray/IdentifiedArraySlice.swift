/// A range of an identified array's elements, at their positions in the array.
///
/// The first change of a slice makes an array of only its elements, so that no change affects an
/// element outside the slice. The positions stay the same.
@frozen
public struct IdentifiedArraySlice<ID: Hashable, Element> {
  @usableFromInline var array: IdentifiedArray<ID, Element>
  /// The positions of the elements.
  @usableFromInline var positions: Range<Int>
  /// The difference between a position in this slice and the position of the same element in
  /// `array`. It is 0 until the first change, which replaces `array` by an array of only the
  /// slice's elements.
  @usableFromInline var origin: Int

  @inlinable
  init(_ base: IdentifiedArray<ID, Element>, _ positions: Range<Int>) {
    array = base
    self.positions = positions
    origin = 0
  }

  /// The positions of the slice's elements in `array`.
  @inlinable
  var stored: Range<Int> {
    (positions.lowerBound &- origin)..<(positions.upperBound &- origin)
  }

  /// If `array` has elements outside the slice, replaces `array` by an array of only the slice's
  /// elements.
  @inlinable
  mutating func detach() {
    let outside = array.count &- positions.count
    guard outside > 0 else { return }
    if outside <= positions.count / 8 {
      // Removing the few elements outside is cheaper than copying the slice. For example, a caller
      // may drop an element before each change. A copy would then take O(*k*) for each change.
      let stored = stored
      array.removeSubrange(stored.upperBound..<array.count)
      array.removeSubrange(0..<stored.lowerBound)
    } else {
      array = IdentifiedArray(self)
    }
    origin = positions.lowerBound
  }
}

extension IdentifiedArraySlice: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArraySlice: Equatable where Element: Equatable {
  /// Whether two slices hold equal elements in the same order; their positions may differ. A NaN
  /// equals itself, as in arrays.
  /// - Complexity: O(*k*) for *k* elements.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs) { haveSameValue($0, $1) }
  }
}

extension IdentifiedArraySlice: Hashable where Element: Hashable {}

extension IdentifiedArraySlice: CustomStringConvertible, CustomDebugStringConvertible {
  /// The type of the elements, and the elements formatted like an array.
  public var debugDescription: String { "IdentifiedArraySlice<\(Element.self)>(\(description))" }
}

extension IdentifiedArraySlice: CustomReflectable {}

extension IdentifiedArraySlice: TreeCollection {
  /// The position of the first element.
  /// - Complexity: O(1).
  @inlinable
  public var startIndex: Int { positions.lowerBound }

  /// The position after the last element.
  /// - Complexity: O(1).
  @inlinable
  public var endIndex: Int { positions.upperBound }

  /// Returns an iterator over the elements, in order.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Element> {
    IdentifiedArray.ElementIterator(array, stored)
  }

  /// Returns an iterator over the elements, from the last to the first.
  /// - Complexity: O(log *n*).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<Element> {
    IdentifiedArray.ReverseElementIterator(array.table, stored)
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
  /// The element at a position. An assignment works as in an array of only the slice's elements.
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

  /// The elements at a range of positions. Assigning a slice assigns its elements one after the
  /// other.
  /// - Precondition: The positions are valid, and an assigned slice has one element for each
  ///   position.
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
  /// Creates an empty slice. The IDs of elements that are added later are at the key path `\.id`.
  /// This also applies to generic code that begins with an empty collection.
  @inlinable
  public init() { self.init(IdentifiedArray(), 0..<0) }

  /// Replaces the elements at a range of positions, as in an array of only the slice's elements.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements. In the first change of a slice, *k* includes all elements of the slice.
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

  /// Removes all elements. The key path of the IDs is kept for elements that are inserted later.
  /// - Complexity: O(1), and O(*n*) to release *n* elements that nothing else retains.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) {
    array.removeAll()
    positions = startIndex..<startIndex
    origin = startIndex
  }
}

extension IdentifiedArraySlice {
  /// Returns a slice of the elements that satisfy a predicate, at positions from 0.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*k*) for *k* elements.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    let elements = try IdentifiedArray(self).filter(isIncluded)
    return Self(elements, 0..<elements.count)
  }
}
