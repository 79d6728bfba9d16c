/// The differences of one version of a table from an older one, with the place of every element
/// that is new or moved.
///
/// To turn the older version into the newer one: remove the removed elements, replace the updated
/// ones, and put the elements of each run between their neighbors.
package struct PlacementDifference<Element> {
  /// An element that only the newer version has, or whose position relative to the others differs.
  package struct Placed {
    /// The element of the newer version.
    package let element: Element
    /// Whether the older version has an element with the same key.
    package let isMoved: Bool
  }

  /// Adjacent elements of the newer version that are all inserted or moved.
  package struct Run {
    /// The element before the first one, or `nil` at the beginning of the table. It has not moved.
    package let previous: Element?
    /// The elements, in order.
    package let elements: [Placed]
    /// The element after the last one, or `nil` at the end of the table. It has not moved.
    package let next: Element?
  }

  /// The elements that only the older version has.
  package var removed: [Element] = []
  /// The elements that differ and are in both versions. They may also be in a run.
  package var updated: [(old: Element, new: Element)] = []
  /// The inserted and the moved elements, in the order of the newer version.
  package var runs: [Run] = []

  /// Whether both versions contain equal elements in the same order.
  package var isEmpty: Bool { removed.isEmpty && updated.isEmpty && runs.isEmpty }
}

/// A table whose order can be stored as one number for each element.
package protocol PlacedElements<Element> {
  /// The type of the elements.
  associatedtype Element

  /// Returns the differences from an older version with the places of the elements.
  func placements(from old: Self) -> PlacementDifference<Element>
  /// Returns the element before the one with the same key, or `nil` at the beginning.
  func element(before element: Element) -> Element?
  /// Returns the element after the one with the same key, or `nil` at the end.
  func element(after element: Element) -> Element?
}
