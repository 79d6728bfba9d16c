extension IdentifiedArray {
  /// Appends an element, unless the array already has an element with the same ID.
  /// - Returns: Whether the element was appended, and the position of the element with the ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Appends the elements whose IDs are not in the array.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of elements.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Inserts an element at a position, unless the array already has an element with the same ID.
  /// - Returns: Whether the element was inserted, and the position of the element with the ID.
  /// - Precondition: The position is valid or `endIndex`. It is ignored if the array has the ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ element: Element, at position: Int
  ) -> (inserted: Bool, index: Int) {
    if let known = table.insert(entry(element), at: position) { return (false, known) }
    return (true, position)
  }

  /// Replaces the element at a position with one that has the same ID.
  /// - Returns: The element that was replaced.
  /// - Precondition: The position is valid, and the IDs are the same.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element, at position: Int) -> Element {
    table.checkElement(at: position)
    let place = table.place(at: position)
    let entry = entry(element)
    let stored = table.leaves[place.leaf].elements + place.offset
    precondition(
      stored.pointee.key == entry.key,
      "The replacement must have the same ID as the element that it replaces")
    return table.exchange(entry, at: place).value
  }

  /// Appends an element. If the array has an element with the same ID, replaces that element
  /// instead, at its position.
  /// - Returns: The element that was replaced, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    table.updateOrAppend(entry(element))?.value
  }

  /// Inserts an element at a position. If the array has an element with the same ID, replaces that
  /// element instead, at its own position.
  /// - Returns: The element that was replaced, if any, and the position of the given element.
  /// - Precondition: The position is valid or `endIndex`. It is ignored, and may have any value, if
  ///   the array has an element with the same ID.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (originalMember: Element?, index: Int) {
    let result = table.updateOrInsert(entry(element), at: position)
    return (result.replaced?.value, result.position)
  }
}
