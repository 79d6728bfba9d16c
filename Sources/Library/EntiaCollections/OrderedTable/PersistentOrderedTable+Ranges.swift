extension PersistentOrderedTable {
  /// Creates a table of the elements in their order. Of several elements with the same key, the
  /// last one is stored, at the position of the first.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      guard let place = builder.appendIfNew(element) else { continue }
      _ = builder.table.exchange(element, at: place)
    }
    self = builder.finish()
  }

  /// Creates a table of elements whose keys are known to be unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  init(unchecked elements: some Sequence<Element>) {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      builder.append(element, tag: builder.table.tag(of: Layout.key(of: element)))
    }
    self = builder.finish()
  }

  /// Replaces the elements at a range of positions. New elements are left out if their key is
  /// elsewhere in the table or repeats among the new elements.
  /// - Returns: The new elements that were left out.
  /// - Precondition: The range is within `0..<count`.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of removed and inserted
  ///   elements, and never more than O(*n* + *k*).
  @inlinable
  @discardableResult
  public mutating func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    var leftOut: [Element] = []
    if (range.count &+ elements.count) &* 4 < count {
      removeSubrange(range)
      var position = range.lowerBound
      for element in elements {
        if insert(element, at: position) == nil {
          position &+= 1
        } else {
          leftOut.append(element)
        }
      }
      return leftOut
    }
    var builder = OrderedTableBuilder<Layout>()
    builder.append(self, 0..<range.lowerBound)
    for element in elements {
      if let position = position(of: Layout.key(of: element)), position >= range.upperBound {
        leftOut.append(element)
      } else if builder.appendIfNew(element) != nil {
        leftOut.append(element)
      }
    }
    builder.append(self, range.upperBound..<count)
    let flag = ownerFlag
    self = builder.finish()
    ownerFlag = flag
    return leftOut
  }
}
