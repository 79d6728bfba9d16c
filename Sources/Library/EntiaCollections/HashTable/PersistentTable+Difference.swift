/// One difference between two versions of a table.
@frozen
@usableFromInline
package enum TableDifference<Element> {
  /// The newer version has an element that the older one does not have.
  case inserted(Element)
  /// Both versions have an element with the same key, and the elements differ.
  case updated(old: Element, new: Element)
  /// The newer version does not have an element that the older one has.
  case removed(Element)
}

extension TableDifference: Equatable where Element: Equatable {}
extension TableDifference: Sendable where Element: Sendable {}

extension PersistentTable where Element: Equatable {
  /// Returns the differences from an older version: insertions and updates in this version's order,
  /// then removals in the older version's order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  package func differences(from old: Self) -> [TableDifference<Element>] {
    var result: [TableDifference<Element>] = []
    visitDifferences(
      from: old, expect: { result.reserveCapacity($0 + $1 + $2) },
      inserted: { result.append(.inserted($0.pointee)) },
      updated: { result.append(.updated(old: $0.pointee, new: $1.pointee)) },
      removed: { result.append(.removed($0.pointee)) })
    return result
  }

  /// Calls the closures with the addresses of the elements that differ from an older version, in
  /// the order of `differences(from:)`. `expect` is called first, with the approximate numbers of
  /// insertions, updates and removals.
  // The closures receive addresses, because an element as an argument would be retained and
  // released once more.
  @inlinable
  @inline(__always)
  package func visitDifferences(
    from old: Self, expect: (Int, Int, Int) -> Void,
    inserted: (UnsafePointer<Element>) -> Void,
    updated: (
      _ old: UnsafePointer<Element>, _ new: UnsafePointer<Element>
    ) -> Void,
    removed: (UnsafePointer<Element>) -> Void
  ) {
    var slots = SlotDifferences()
    _ = collectDifferences(from: old, into: &slots, stopping: false)
    var expected = (inserted: 0, updated: 0, removed: 0)
    for slot in slots {
      if slot.newAddress == nil {
        expected.removed &+= 1
      } else if slot.oldAddress == nil {
        expected.inserted &+= 1
      } else {
        expected.updated &+= 1
      }
    }
    if slots.isEmpty { return }
    expect(expected.inserted, expected.updated, expected.removed)
    for slot in slots {
      guard let new = slot.new(Element.self) else { continue }
      if slot.isUpdate, let same = slot.old(Element.self) {
        updated(same, new)
      } else if let moved = old.pointer(to: Layout.key(of: new.pointee)) {
        if !haveSameValue(moved.pointee, new.pointee) { updated(moved, new) }
      } else {
        inserted(new)
      }
    }
    for slot in slots where !slot.isUpdate {
      guard let gone = slot.old(Element.self), pointer(to: Layout.key(of: gone.pointee)) == nil
      else { continue }
      removed(gone)
    }
    withExtendedLifetime((self, old)) {}
  }

  /// Whether two versions share all their elements. The caller must keep both in memory and
  /// unchanged during the call.
  @inlinable
  @inline(__always)
  package static func isSame(_ a: UnsafePointer<Self>, _ b: UnsafePointer<Self>) -> Bool {
    a.pointee.top == b.pointee.top
  }

  /// Calls the closure with the elements that differ between two versions. The caller must keep
  /// both in memory and unchanged during the call. The closure receives an updated element twice,
  /// first the old form and then the new one. After a compaction, the closure may also receive an
  /// element that only changed its slot.
  @inlinable
  @inline(__always)
  package static func visitDiffering(
    _ a: UnsafePointer<Self>, _ b: UnsafePointer<Self>, _ body: (UnsafePointer<Element>) -> Void
  ) {
    if isSame(a, b) { return }
    var slots = SlotDifferences()
    _ = compareTrees(
      a.pointee.top, a.pointee.height, b.pointee.top, b.pointee.height, &slots, false)
    for slot in slots {
      if let old = slot.old(Element.self) { body(old) }
      if let new = slot.new(Element.self) { body(new) }
    }
  }

  /// Calls the closure with the elements of the new version that the old version has in other
  /// slots: because they were removed and inserted again, or because a compaction moved them. The
  /// caller must keep both versions in memory and unchanged during the call.
  @inlinable
  package static func visitMoved(
    _ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>, _ body: (UnsafePointer<Element>) -> Void
  ) {
    if isSame(old, new) { return }
    var slots = SlotDifferences()
    _ = compareTrees(
      old.pointee.top, old.pointee.height, new.pointee.top, new.pointee.height, &slots, false)
    for slot in slots where !slot.isUpdate {
      guard let element = slot.new(Element.self),
        address(of: Layout.key(of: element.pointee), in: old) != nil
      else { continue }
      body(element)
    }
  }

  /// Calls the closure with the key of each element that was inserted, updated or removed between
  /// two versions, in no particular order. The caller must keep both in memory and unchanged during
  /// the call.
  ///
  /// - Returns: Whether some element is equal in both versions, but in different slots: because it
  ///   was removed and inserted again, or because a compaction moved it.
  @inlinable
  @inline(__always)
  @discardableResult
  package static func visitDifferingKeys(
    _ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>, _ body: (Key) -> Void
  ) -> Bool {
    if isSame(old, new) { return false }
    var isMoved = false
    var slots = SlotDifferences()
    _ = compareTrees(
      old.pointee.top, old.pointee.height, new.pointee.top, new.pointee.height, &slots, false)
    for slot in slots {
      if slot.isUpdate {
        body(Layout.key(of: slot.new(Element.self).unsafelyUnwrapped.pointee))
        continue
      }
      if let element = slot.new(Element.self) {
        let key = Layout.key(of: element.pointee)
        let moved = address(of: key, in: old)
        if moved == nil || !haveSameValue(moved.unsafelyUnwrapped.pointee, element.pointee) {
          body(key)
        } else {
          isMoved = true
        }
      }
      if let element = slot.old(Element.self) {
        let key = Layout.key(of: element.pointee)
        if address(of: key, in: new) == nil { body(key) }
      }
    }
    return isMoved
  }

  /// Collects the slots in which two versions differ. If `stopping` is `true`, stops and returns
  /// `false` at the first slot in which the versions have different elements with the same key.
  @inlinable
  func collectDifferences(
    from old: Self, into slots: inout SlotDifferences, stopping: Bool
  ) -> Bool {
    Self.compareTrees(
      old.top, old.height, top, height, &slots, stopping)
  }

  /// Compares trees of any two heights, in slot order. The first branch of the higher tree
  /// corresponds to the whole lower tree. The other branches of the higher tree have no
  /// counterpart.
  @inlinable
  static func compareTrees(
    _ a: TreeNode?, _ aHeight: Int, _ b: TreeNode?, _ bHeight: Int,
    _ slots: inout SlotDifferences, _ stopping: Bool
  ) -> Bool {
    guard let x = a, let y = b, aHeight != bHeight else {
      return compareNodes(a, b, level: a == nil ? bHeight : aHeight, &slots, stopping)
    }
    let bIsHigher = bHeight > aHeight
    let children = (bIsHigher ? y : x).elements
    let lowest = children[0]?.cast(to: TreeNode.self)
    let first =
      bIsHigher
      ? compareTrees(a, aHeight, lowest, bHeight &- 1, &slots, stopping)
      : compareTrees(lowest, aHeight &- 1, b, bHeight, &slots, stopping)
    if !first { return false }
    let level = (bIsHigher ? bHeight : aHeight) &- 1
    for index in 1..<TreeNode.fanOut {
      guard let child = children[index]?.cast(to: TreeNode.self) else { continue }
      if !compareNodes(
        bIsHigher ? nil : child, bIsHigher ? child : nil, level: level, &slots, stopping)
      {
        return false
      }
    }
    return true
  }

  // No closures here, because a closure that captures a table would be retained at every step.
  @inlinable
  static func compareNodes(
    _ a: TreeNode?, _ b: TreeNode?, level: Int, _ slots: inout SlotDifferences,
    _ stopping: Bool
  ) -> Bool {
    if a == b { return true }
    TableWork.note(.nodeVisited)
    for start in stride(from: 0, to: TreeNode.fanOut, by: 4) {
      if let a, let b, hasSameChildren(a, b, inFourFrom: start) { continue }
      for index in start..<(start &+ 4) {
        let x = a == nil ? nil : a.unsafelyUnwrapped.elements[index]
        let y = b == nil ? nil : b.unsafelyUnwrapped.elements[index]
        if x == y { continue }
        let isEqual =
          level == 0
          ? comparePages(x?.cast(), y?.cast(), &slots, stopping)
          : compareNodes(x?.cast(), y?.cast(), level: level &- 1, &slots, stopping)
        if !isEqual { return false }
      }
    }
    return true
  }

  /// Whether two nodes have the same four children from an index on.
  @inlinable
  @inline(__always)
  static func hasSameChildren(_ a: TreeNode, _ b: TreeNode, inFourFrom start: Int) -> Bool {
    typealias Two = SIMD2<UInt>
    let x = UnsafeRawPointer(a.elements + start)
    let y = UnsafeRawPointer(b.elements + start)
    let size = MemoryLayout<Two>.size
    let difference =
      (x.loadUnaligned(as: Two.self) ^ y.loadUnaligned(as: Two.self))
      | (x.loadUnaligned(fromByteOffset: size, as: Two.self)
        ^ y.loadUnaligned(fromByteOffset: size, as: Two.self))
    return difference[0] | difference[1] == 0
  }

  @inlinable
  static func comparePages(
    _ a: Page?, _ b: Page?, _ slots: inout SlotDifferences, _ stopping: Bool
  ) -> Bool {
    TableWork.note(.nodeVisited)
    let aLive = a == nil ? 0 : a.unsafelyUnwrapped.live
    let bLive = b == nil ? 0 : b.unsafelyUnwrapped.live
    var rest = aLive | bLive
    if aLive == bLive, aLive == Page.full, let a, let b {
      rest = differingSlots(a.elements, b.elements, stopping)
    }
    while rest != 0 {
      let position = rest.trailingZeroBitCount
      let bit = rest & (0 &- rest)
      rest &= rest &- 1
      let x = aLive & bit == 0 ? nil : a.unsafelyUnwrapped.elements + position
      let y = bLive & bit == 0 ? nil : b.unsafelyUnwrapped.elements + position
      var isUpdate = false
      if let x, let y {
        if Layout.matches(x.pointee, Layout.key(of: y.pointee)) {
          if haveSameValue(x.pointee, y.pointee) { continue }
          if stopping { return false }
          isUpdate = true
        }
      }
      slots.append(SlotDifference(old: x, new: y, isUpdate: isUpdate))
    }
    return true
  }

  /// Returns a bit set of the slots of two full pages whose elements are not bitwise identical.
  /// Bitwise identical elements are equal without a call of `==`. If `stopping` is `true`, the
  /// comparison ends at the first differing slot, and all slots after it are returned, too.
  ///
  /// Elements are compared only if their type consists of whole words; otherwise every slot is
  /// returned. The elements of a returned slot may still be equal.
  @inlinable
  @inline(__always)
  static func differingSlots(
    _ a: UnsafePointer<Element>, _ b: UnsafePointer<Element>, _ stopping: Bool
  ) -> UInt64 {
    if !consistsOfWords(Element.self) { return Page.full }
    var result: UInt64 = 0
    for position in 0..<Page.capacity where differingBits(a + position, b + position) != 0 {
      let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: position)
      if stopping { return Page.full & (0 &- bit) }
      result |= bit
    }
    return result
  }

  /// Follows the first differing children of two trees of the same height down to two pages, and
  /// finds the first slot whose elements have different words.
  /// - Returns: The addresses of the elements, which may nevertheless be equal; `nil` if there is
  ///   no such slot on this path.
  // The function only loads memory, so the optimizer sees that a call releases nothing. The caller
  // therefore does not retain tables that are in an array or a property.
  @inlinable
  @inline(never)
  static func firstDifference(
    _ a: TreeNode, _ b: TreeNode, height: Int
  ) -> (old: UnsafePointer<Element>, new: UnsafePointer<Element>)? {
    var a = a
    var b = b
    for _ in 0...height {
      TableWork.note(.nodeVisited)
      let aChildren = a.elements
      let bChildren = b.elements
      var index = 0
      while index < TreeNode.fanOut, aChildren[index] == bChildren[index] { index &+= 1 }
      guard index < TreeNode.fanOut, let x = aChildren[index], let y = bChildren[index] else {
        return nil
      }
      a = x.cast()
      b = y.cast()
    }
    let x = a.cast(to: Page.self)
    let y = b.cast(to: Page.self)
    if !consistsOfWords(Element.self) { return nil }
    TableWork.note(.nodeVisited)
    var rest = x.live & y.live
    while rest != 0 {
      let position = rest.trailingZeroBitCount
      let old = x.elements + position
      let new = y.elements + position
      if differingBits(old, new) != 0 { return (old, new) }
      rest &= rest &- 1
    }
    return nil
  }
}

extension PersistentTable: Equatable where Element: Equatable {
  /// Whether two tables hold equal elements, regardless of their order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  @inline(__always)
  package static func == (a: Self, b: Self) -> Bool {
    if a.count != b.count { return false }
    if a.top == b.top { return true }
    if let x = a.top, let y = b.top, a.height == b.height,
      let (old, new) = firstDifference(x, y, height: a.height),
      Layout.matches(old.pointee, Layout.key(of: new.pointee)),
      !(old.pointee == new.pointee),
      // If each of the two elements is unequal to itself, because it contains NaN, `isEqual`
      // compares their parts. Any other two unequal elements are different.
      old.pointee == old.pointee || new.pointee == new.pointee
    {
      withExtendedLifetime((a, b)) {}
      return false
    }
    return isEqual(a, b)
  }

  @inlinable
  @inline(never)
  static func isEqual(_ a: Self, _ b: Self) -> Bool {
    var slots = SlotDifferences()
    if !b.collectDifferences(from: a, into: &slots, stopping: true) { return false }
    for slot in slots {
      guard let new = slot.new(Element.self) else { continue }
      guard let old = a.pointer(to: Layout.key(of: new.pointee)),
        haveSameValue(old.pointee, new.pointee)
      else { return false }
    }
    // The counts are equal and every element of `b` is in `a`, so `a` has no other elements.
    withExtendedLifetime((a, b)) {}
    return true
  }
}
