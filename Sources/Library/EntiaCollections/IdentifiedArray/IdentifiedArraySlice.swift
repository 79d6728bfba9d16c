/// A range of an identified array's elements, at their positions in the array.
///
/// The first change of a slice makes its elements an array of their own, so that no change affects
/// an element outside the slice. The positions stay.
@frozen
public struct IdentifiedArraySlice<ID: Hashable, Element> {
  @usableFromInline var array: IdentifiedArray<ID, Element>
  /// The positions of the elements.
  @usableFromInline var positions: Range<Int>
  /// The position of the array's first element: 0 until the slice is changed.
  @usableFromInline var origin: Int

  @inlinable
  init(_ base: IdentifiedArray<ID, Element>, _ positions: Range<Int>) {
    array = base
    self.positions = positions
    origin = 0
  }

  /// The array that contains the elements: the whole array, or only the elements of a slice that
  /// was changed.
  @inlinable
  public var base: IdentifiedArray<ID, Element> { array }

  /// The positions of the elements in the array.
  @inlinable
  var stored: Range<Int> {
    (positions.lowerBound &- origin)..<(positions.upperBound &- origin)
  }

  /// Copies the elements to an array of their own, unless they are one.
  @inlinable
  mutating func detach() {
    guard array.count != positions.count else { return }
    array = IdentifiedArray(self)
    origin = positions.lowerBound
  }
}

extension IdentifiedArraySlice: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArraySlice: Equatable where Element: Equatable {
  /// Whether two slices hold equal elements in the same order; their positions may differ.
  /// - Complexity: O(*k*) for *k* elements.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.elementsEqual(rhs)
  }
}

extension IdentifiedArraySlice: Hashable where Element: Hashable {
  /// Hashes the elements in their order.
  /// - Complexity: O(*k*) for *k* elements.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension IdentifiedArraySlice: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { Array(self).description }

  /// The type of the elements, and the elements formatted like an array.
  public var debugDescription: String { "IdentifiedArraySlice<\(Element.self)>(\(description))" }
}

extension IdentifiedArraySlice: CustomReflectable {
  /// A mirror of the elements, like that of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection)
  }
}
