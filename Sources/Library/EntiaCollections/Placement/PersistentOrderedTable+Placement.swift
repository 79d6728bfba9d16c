extension PersistentOrderedTable: PlacedElements where Element: Equatable {
  /// Returns the differences from an older version with the places of the elements.
  /// - Parameter old: The older version.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated versions.
  package func placements(from old: Self) -> PlacementDifference<Element> {
    let differences = differences(from: old)
    var result = PlacementDifference<Element>()
    result.removed = differences.removed.map(\.element)
    result.updated = differences.updated.map { ($0.old, $0.new) }
    var placed = differences.inserted.map {
      (
        position: $0.position,
        placed: PlacementDifference.Placed(element: $0.element, isMoved: false)
      )
    }
    placed += differences.moved.map { ($0.to, .init(element: $0.element, isMoved: true)) }
    placed.sort { $0.position < $1.position }
    var index = 0
    while index < placed.count {
      let first = placed[index].position
      var elements: [PlacementDifference<Element>.Placed] = []
      while index < placed.count, placed[index].position == first + elements.count {
        elements.append(placed[index].placed)
        index += 1
      }
      let end = first + elements.count
      result.runs.append(
        .init(
          previous: first > 0 ? self[position: first - 1] : nil, elements: elements,
          next: end < count ? self[position: end] : nil))
    }
    return result
  }

  /// Returns the element before the one with the same key, or `nil` at the beginning.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*) expected.
  package func element(before element: Element) -> Element? {
    guard let position = position(of: Layout.key(of: element)), position > 0 else { return nil }
    return self[position: position - 1]
  }

  /// Returns the element after the one with the same key, or `nil` at the end.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*) expected.
  package func element(after element: Element) -> Element? {
    guard let position = position(of: Layout.key(of: element)), position + 1 < count else {
      return nil
    }
    return self[position: position + 1]
  }
}
