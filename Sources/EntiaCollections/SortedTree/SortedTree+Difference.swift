/// One difference between two versions of a sorted tree.
@frozen
public enum SortedDifference<Element> {
  /// The newer version has an element that the older one had not.
  case inserted(Element)
  /// The newer version lacks an element that the older one had.
  case removed(Element)
}

extension SortedDifference: Equatable where Element: Equatable {}
extension SortedDifference: Sendable where Element: Sendable {}

extension SortedTree {
  /// Returns how this version differs from an older one, in order; nothing if and only if the two
  /// are equal.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  @inlinable
  public func differences(from old: Self) -> [SortedDifference<Element>] {
    var result: [SortedDifference<Element>] = []
    _ = Self.compare(old, self) { element, isInserted in
      result.append(isInserted ? .inserted(element.pointee) : .removed(element.pointee))
      return true
    }
    return result
  }

  /// Calls the closure with every element that only one of two versions has, in order, until it
  /// returns `false`; returns whether it never did.
  @inlinable
  @inline(__always)
  static func compare(
    _ old: Self, _ new: Self,
    _ body: (_ element: UnsafeMutablePointer<Element>, _ isInserted: Bool) -> Bool
  ) -> Bool {
    defer { withExtendedLifetime((old.root, new.root)) {} }
    var a = SortedCursor(old)
    var b = SortedCursor(new)
    while let x = a.unit, let y = b.unit {
      if x == y, a.slot == b.slot {
        // One node, or one rest of a leaf, in both versions.
        a.advance()
        b.advance()
      } else if a.level == 0, b.level == 0 {
        if !compareLeaves(&a, x, &b, y, body) { return false }
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

  /// Compares what is left of two leaves until one of them is used up.
  @inlinable
  @inline(__always)
  static func compareLeaves(
    _ a: inout SortedCursor<Layout>, _ x: NodePointer, _ b: inout SortedCursor<Layout>,
    _ y: NodePointer,
    _ body: (_ element: UnsafeMutablePointer<Element>, _ isInserted: Bool) -> Bool
  ) -> Bool {
    TableWork.note(.nodeVisited)
    TableWork.note(.nodeVisited)
    let olds = Leaves.elements(x)
    let news = Leaves.elements(y)
    let oldCount = Leaves.count(x)
    let newCount = Leaves.count(y)
    while a.slot < oldCount, b.slot < newCount {
      let old = olds + a.slot
      let new = news + b.slot
      let isSame = haveEqualBits(old, new)
      if !isSame, Layout.precedes(old.pointee, new.pointee) {
        if !body(old, false) { return false }
        a.slot &+= 1
      } else if !isSame, Layout.precedes(new.pointee, old.pointee) {
        if !body(new, true) { return false }
        b.slot &+= 1
      } else {
        a.slot &+= 1
        b.slot &+= 1
      }
    }
    if a.slot == oldCount { a.advance() }
    if b.slot == newCount { b.advance() }
    return true
  }

  /// Whether two elements are the same to the bit, which spares asking the order; a `false` means
  /// nothing.
  @inlinable
  @inline(__always)
  static func haveEqualBits(
    _ x: UnsafeMutablePointer<Element>, _ y: UnsafeMutablePointer<Element>
  ) -> Bool {
    let size = MemoryLayout<Element>.size
    if size & 7 != 0 || MemoryLayout<Element>.alignment < 8 { return false }
    let a = UnsafeRawPointer(x)
    let b = UnsafeRawPointer(y)
    for offset in stride(from: 0, to: size, by: 8) {
      let left = a.load(fromByteOffset: offset, as: UInt64.self)
      if left != b.load(fromByteOffset: offset, as: UInt64.self) { return false }
    }
    return true
  }
}

extension SortedTree: Equatable {
  /// Whether the order tells no element of one tree from the other's at the same place.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    if a.elementCount != b.elementCount { return false }
    return a.isIdentical(to: b) || compare(a, b) { _, _ in false }
  }
}
