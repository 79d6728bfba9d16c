extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {
  /// Replaces the elements at a range of positions.
  ///
  /// A new element whose ID is elsewhere in the array replaces the element there. Of several new
  /// elements with the same ID, the first is stored, at the position of the last. The method with a
  /// `DuplicatePolicy` parameter supports other behaviors.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements.
  @inlinable
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    table.removeSubrange(range)
    for element in elements.reversed() {
      table.updateOrInsert(entry(element), at: range.lowerBound)
    }
  }
}
