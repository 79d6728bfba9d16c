extension IdentifiedArray: MutableCollection {
  /// The element at a position.
  ///
  /// If an assigned element has the ID of an element at another position, the elements at the two
  /// positions first exchange places. Algorithms that reorder elements by assignments therefore
  /// work. Any other element replaces the one at the position. A change in place copies only what
  /// an older version shares.
  ///
  /// - Precondition: The position is valid, and a change in place keeps the ID.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Element {
    @inline(__always)
    get {
      table.checkElement(at: position)
      let place = table.place(at: position)
      return table.leaves[place.leaf].elements[place.offset].value
    }
    set { put(newValue, at: position) }
    @inline(__always)
    _modify {
      table.checkElement(at: position)
      let place = table.place(at: position)
      let entry = table.leaves.unique(place.leaf).mutableElements + place.offset
      defer { checkID(at: Self.value(of: entry), is: entry.pointee.key) }
      yield &entry.pointee.value
    }
  }

  /// The elements at a range of positions. Assigning a slice assigns its elements one after the
  /// other.
  /// - Precondition: The positions are valid, and an assigned slice has one element for each
  ///   position.
  /// - Complexity: O(1) to read, O(*k* log *n*) to assign *k* elements.
  @inlinable
  public subscript(bounds: Range<Int>) -> IdentifiedArraySlice<ID, Element> {
    get {
      check(bounds)
      return IdentifiedArraySlice(self, bounds)
    }
    set {
      check(bounds)
      precondition(
        newValue.count == bounds.count,
        "A slice is replaced by one with as many elements; use replaceSubrange for another number")
      for (position, element) in zip(bounds, newValue) { put(element, at: position) }
    }
  }

  @inlinable
  @inline(__always)
  func check(_ bounds: Range<Int>) {
    precondition(bounds.lowerBound >= 0 && bounds.upperBound <= count, "Positions out of range")
  }

  @inlinable
  mutating func put(_ element: Element, at position: Int) {
    table.checkElement(at: position)
    let entry = entry(element)
    guard let known = table.position(of: entry.key) else {
      table.remove(at: position)
      table.insert(entry, at: position)
      return
    }
    table.swapAt(known, position)
    table[position: position] = entry
  }

  /// Moves an element from one position to another.
  /// - Precondition: Both positions are valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func move(from position: Int, to target: Int) {
    table.move(from: position, to: target)
  }

  /// Exchanges the elements at two positions.
  /// - Precondition: Both positions are valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) { table.swapAt(first, second) }

  /// Reorders the elements so that those that satisfy a predicate are last.
  /// - Returns: The position of the first element that satisfies the predicate, or `endIndex`.
  /// - Throws: The error of the predicate. The order is not changed then.
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition { try belongsInSecondPartition($0.value) } }
  }

  /// Sorts the elements.
  /// - Throws: The error of the predicate. The order is not changed then.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort { try areInIncreasingOrder($0.value, $1.value) } }
  }

  /// Returns the elements, sorted, as an identified array.
  /// - Parameter areInIncreasingOrder: Whether the first element precedes the second.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public func sorted(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows -> Self {
    var result = self
    try result.sort(by: areInIncreasingOrder)
    return result
  }

  /// Reverses the order of the elements.
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func reverse() { reorder { $0.reverse() } }

  /// Rebuilds the table from its own entries, in the order that the closure puts them into.
  @inlinable
  mutating func reorder<Result>(_ body: (inout [Entry]) throws -> Result) rethrows -> Result {
    var entries = Array(table)
    let result = try body(&entries)
    replaceTable(by: Table(unchecked: entries))
    return result
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements, the least first.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort() { sort(by: <) }

  /// Returns the elements, sorted, as an identified array. The least is first.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public func sorted() -> Self { sorted(by: <) }
}

#if canImport(Foundation)
  public import Foundation

  extension IdentifiedArray {
    /// Removes the elements at some positions. Positions out of bounds are ignored.
    /// - Parameter offsets: The positions.
    /// - Complexity: O(*k* log *n*) for *k* positions, and never more than O(*n*).
    public mutating func remove(atOffsets offsets: IndexSet) {
      removePositions(Array(offsets.prefix { $0 < count }))
    }

    /// Moves the elements at some positions into the gap before a destination, in their order.
    ///
    /// Positions out of bounds are ignored; a destination out of bounds is clamped.
    ///
    /// ```swift
    /// List { ForEach(todos) { … }.onMove { todos.move(fromOffsets: $0, toOffset: $1) } }
    /// ```
    /// - Parameters:
    ///   - offsets: The positions.
    ///   - destination: The position after the gap, or `endIndex`.
    /// - Complexity: O(*k* log *n*) for *k* positions, and never more than O(*n*).
    public mutating func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
      movePositions(
        Array(offsets.prefix { $0 < count }), to: Swift.min(Swift.max(destination, 0), count))
    }
  }
#endif

extension IdentifiedArray {
  /// Moves the elements at some positions into the gap before `destination`, which is a position or
  /// `count`. The positions must be valid and ascending.
  @inlinable
  mutating func movePositions(_ positions: [Int], to destination: Int) {
    let before = positions.count { $0 < destination }
    if positions.count < 8 || positions.count * 16 < count {
      // Elements before the destination are moved to its left, the last one first, so that no move
      // changes the positions of the remaining ones. The other elements are moved to its right.
      for index in 0..<before {
        table.move(from: positions[before - 1 - index], to: destination - 1 - index)
      }
      for index in before..<positions.count {
        table.move(from: positions[index], to: destination + index - before)
      }
      return
    }
    var isMoved = [Bool](repeating: false, count: count)
    for position in positions { isMoved[position] = true }
    reorder { entries in
      let all = entries
      entries.removeAll(keepingCapacity: true)
      for position in 0..<destination where !isMoved[position] { entries.append(all[position]) }
      for position in positions { entries.append(all[position]) }
      for position in destination..<all.count where !isMoved[position] {
        entries.append(all[position])
      }
    }
  }
}
