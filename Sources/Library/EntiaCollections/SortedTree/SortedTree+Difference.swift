/// One difference between two versions of a sorted tree.
@frozen
public enum SortedDifference<Element> {
  /// The newer version has an element that the older one does not have.
  case inserted(Element)
  /// The newer version does not have an element that the older one has.
  case removed(Element)
}

extension SortedDifference: Equatable where Element: Equatable {}
extension SortedDifference: Sendable where Element: Sendable {}

extension SortedTree {
  /// Returns the differences from an older version, in order. There are none if and only if the two
  /// versions are equal.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  public func differences(from old: Self) -> [SortedDifference<Element>] {
    var result: [SortedDifference<Element>] = []
    _ = Self.compare(old, self) { element, isInserted in
      result.append(isInserted ? .inserted(element.pointee) : .removed(element.pointee))
      return true
    }
    return result
  }

  /// Returns the differences from an older version, in order. If neither of two elements precedes
  /// the other and `areSame` returns `false` for them, they count as a removal and an insertion.
  /// - Complexity: That of `differences(from:)`.
  @inlinable
  package func differences(
    from old: Self, by areSame: (Element, Element) -> Bool
  ) -> [SortedDifference<Element>] {
    var result: [SortedDifference<Element>] = []
    _ = Self.compare(old, self, by: areSame) { element, isInserted in
      result.append(isInserted ? .inserted(element.pointee) : .removed(element.pointee))
      return true
    }
    return result
  }

  /// Calls the closure, in order, with every element that only one of two versions has. Stops when
  /// the closure returns `false`.
  /// - Parameter areSame: Returns whether two elements are the same. It is called only if neither
  ///   element precedes the other.
  /// - Returns: Whether the closure never returned `false`.
  @inlinable
  @inline(__always)
  static func compare(
    _ old: Self, _ new: Self, by areSame: (Element, Element) -> Bool = { _, _ in true },
    _ body: (_ element: UnsafePointer<Element>, _ isInserted: Bool) -> Bool
  ) -> Bool {
    defer { withExtendedLifetime((old.root, new.root)) {} }
    var a = SortedCursor(old)
    var b = SortedCursor(new)
    while let x = a.unit, let y = b.unit {
      if x == y, a.slot == b.slot {
        // Both versions share the node or the rest of the leaf.
        a.advance()
        b.advance()
      } else if a.level == 0, b.level == 0 {
        if !compareLeaves(&a, x.leaf, &b, y.leaf, areSame, body) { return false }
      } else {
        let levels = (a.level, b.level)
        if levels.0 >= levels.1 { a.descend() }
        if levels.1 >= levels.0 { b.descend() }
      }
    }
    while let gone = a.nextElement() { if !body(gone, false) { return false } }
    while let added = b.nextElement() { if !body(added, true) { return false } }
    return true
  }

  /// Compares the remaining elements of two leaves, until one of the leaves ends.
  @inlinable
  @inline(__always)
  static func compareLeaves(
    _ a: inout SortedCursor<Layout>, _ x: Leaf, _ b: inout SortedCursor<Layout>, _ y: Leaf,
    _ areSame: (Element, Element) -> Bool,
    _ body: (_ element: UnsafePointer<Element>, _ isInserted: Bool) -> Bool
  ) -> Bool {
    TableWork.note(.nodeVisited)
    TableWork.note(.nodeVisited)
    let olds = x.elements
    let news = y.elements
    let oldCount = x.count
    let newCount = y.count
    while a.slot < oldCount, b.slot < newCount {
      let old = olds + a.slot
      let new = news + b.slot
      // Bitwise identical elements are the same without a comparison.
      let isSame = consistsOfWords(Element.self) && differingBits(old, new) == 0
      if !isSame, Layout.precedes(old.pointee, new.pointee) {
        if !body(old, false) { return false }
        a.slot &+= 1
      } else if !isSame, Layout.precedes(new.pointee, old.pointee) {
        if !body(new, true) { return false }
        b.slot &+= 1
      } else {
        if !isSame, !areSame(old.pointee, new.pointee), !body(old, false) || !body(new, true) {
          return false
        }
        a.slot &+= 1
        b.slot &+= 1
      }
    }
    if a.slot == oldCount { a.advance() }
    if b.slot == newCount { b.advance() }
    return true
  }
}

extension SortedTree: Equatable {
  /// Whether both trees have equally many elements, and neither of the two elements at each rank
  /// precedes the other.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    if a.elementCount != b.elementCount { return false }
    return a.isIdentical(to: b) || compare(a, b) { _, _ in false }
  }
}
