/// A range of an identified array's elements, at their positions in the whole array.
///
/// A change in place changes a copy of the whole array, which shares what is not changed.
@frozen
public struct IdentifiedArraySlice<ID: Hashable, Element> {
  @usableFromInline var array: IdentifiedArray<ID, Element>
  /// The positions of the elements.
  @usableFromInline var positions: Range<Int>

  @inlinable
  init(_ base: IdentifiedArray<ID, Element>, _ positions: Range<Int>) {
    array = base
    self.positions = positions
  }

  /// The array that contains the elements.
  @inlinable
  public var base: IdentifiedArray<ID, Element> { array }
}

extension IdentifiedArraySlice: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArraySlice: CustomStringConvertible {
  /// The elements, formatted like an array.
  public var description: String { Array(self).description }
}
