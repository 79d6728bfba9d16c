extension IdentifiedArray {
  /// Removes the element with an ID.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? { table.remove(IdentifiedKey(id))?.value }

  /// Removes the element that has the ID of the given element.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: id(of: element))
  }

  /// Removes the element at a position.
  /// - Returns: The removed element.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element { table.remove(at: position).value }

  /// Removes every element.
  ///
  /// No capacity is kept, because the array grows by small leaves and never moves them.
  /// - Complexity: O(1) if an older version shares the elements, else O(*n*) for releasing them.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) { table.removeAll() }

  /// Removes the elements that satisfy a predicate.
  /// - Throws: The error of the predicate. Nothing is removed then.
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    var removed: [Int] = []
    var position = 0
    var iterator = table.makeIterator()
    while let entry = iterator.nextPointer() {
      if try shouldBeRemoved(entry.pointee.value) { removed.append(position) }
      position += 1
    }
    iterator = Table().makeIterator()
    removePositions(removed)
  }

  /// Returns the elements that satisfy a predicate, as an identified array.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var builder = OrderedTableBuilder<Layout>()
    var iterator = table.makeIterator()
    while let entry = iterator.nextPointer() {
      guard try isIncluded(entry.pointee.value) else { continue }
      builder.append(entry.pointee, tag: table.tag(of: entry.pointee.key))
    }
    withExtendedLifetime(iterator) {}
    return Self(at: idPath, table: builder.finish())
  }

  /// Removes the first element.
  /// - Returns: The removed element.
  /// - Precondition: The array is not empty.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes the first elements.
  /// - Precondition: The array has at least `number` elements.
  /// - Complexity: O(*k* + log *n*), where *k* is `number`.
  @inlinable
  public mutating func removeFirst(_ number: Int) { removeSubrange(0..<number) }

  /// Removes the last element.
  /// - Returns: The removed element.
  /// - Precondition: The array is not empty.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element { remove(at: count - 1) }

  /// Removes the last elements.
  /// - Precondition: The array has at least `number` elements.
  /// - Complexity: O(*k* + log *n*), where *k* is `number`.
  @inlinable
  public mutating func removeLast(_ number: Int) { removeSubrange((count - number)..<count) }

  /// Removes the last element, if there is one.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func popLast() -> Element? { isEmpty ? nil : removeLast() }

  /// Removes the elements at a range of positions.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the range.
  @inlinable
  public mutating func removeSubrange(_ range: Range<Int>) { table.removeSubrange(range) }

  /// Removes the elements at a range of positions.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the range.
  @inlinable
  public mutating func removeSubrange(_ range: some RangeExpression<Int>) {
    removeSubrange(range.relative(to: self))
  }

  /// Does nothing, because the array grows by small leaves and never moves them.
  @inlinable
  public mutating func reserveCapacity(_ minimumCapacity: Int) {}

  /// Removes the elements at ascending positions.
  @inlinable
  mutating func removePositions(_ positions: [Int]) {
    if positions.count < 8 || positions.count * 16 < count {
      for position in positions.reversed() { table.remove(at: position) }
      return
    }
    var builder = OrderedTableBuilder<Layout>()
    var start = 0
    for position in positions {
      builder.append(table, start..<position)
      start = position + 1
    }
    builder.append(table, start..<count)
    replaceTable(by: builder.finish())
  }
}
