/// The addresses of the elements with the next few keys of a list, looked up together.
@frozen
@usableFromInline
package struct NextElements<Element> {
  @usableFromInline var first: UnsafePointer<Element>?
  @usableFromInline var second: UnsafePointer<Element>?
  @usableFromInline var third: UnsafePointer<Element>?
  @usableFromInline var fourth: UnsafePointer<Element>?

  /// Creates an empty group.
  @inlinable
  @inline(__always)
  package init() {}

  @inlinable
  @inline(__always)
  package init(
    _ first: UnsafePointer<Element>?, _ second: UnsafePointer<Element>?,
    _ third: UnsafePointer<Element>?, _ fourth: UnsafePointer<Element>?
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// The maximum number of elements in a group.
  @inlinable
  @inline(__always)
  package static var capacity: Int { 4 }

  /// Returns the next address and removes it from the group.
  @inlinable
  @inline(__always)
  package mutating func removeFirst() -> UnsafePointer<Element>? {
    defer { (first, second, third) = (second, third, fourth) }
    return first
  }
}

extension PersistentTable {
  /// Returns the addresses of the elements with the next keys of a list, at most as many as a group
  /// holds; `nil` for a missing element. The addresses are valid while the table is neither changed
  /// nor released.
  ///
  /// The memory accesses of one step do not depend on each other, so the processor waits for
  /// several of them at a time. Between single look-ups, a caller usually retains something, and
  /// the processor finishes one look-up before it begins the next.
  /// - Complexity: O(1) expected.
  @inlinable
  package static func nextElements(
    _ keys: UnsafeBufferPointer<Key>, from start: Int, in table: UnsafePointer<Self>
  ) -> NextElements<Element> {
    let (seed, index) = (table.pointee.seed, table.pointee.index.word)
    let (top, height) = (table.pointee.top, table.pointee.height)
    let rest = keys.count &- start
    if index.isNone { return NextElements() }
    let slot0 = candidate(keys, start, seed, index)
    let slot1 = rest > 1 ? candidate(keys, start &+ 1, seed, index) : -1
    let slot2 = rest > 2 ? candidate(keys, start &+ 2, seed, index) : -1
    let slot3 = rest > 3 ? candidate(keys, start &+ 3, seed, index) : -1
    let row0 = slot0 < 0 ? nil : pointer(at: slot0, top: top, height: height)
    let row1 = slot1 < 0 ? nil : pointer(at: slot1, top: top, height: height)
    let row2 = slot2 < 0 ? nil : pointer(at: slot2, top: top, height: height)
    let row3 = slot3 < 0 ? nil : pointer(at: slot3, top: top, height: height)
    return NextElements(
      checked(row0, slot0, keys, start, in: table),
      checked(row1, slot1, keys, start &+ 1, in: table),
      checked(row2, slot2, keys, start &+ 2, in: table),
      checked(row3, slot3, keys, start &+ 3, in: table))
  }

  /// Returns the slot of the first entry that may have the key at a position.
  @inlinable
  @inline(__always)
  static func candidate(
    _ keys: UnsafeBufferPointer<Key>, _ position: Int, _ seed: UInt64, _ index: IndexWord
  ) -> Int {
    SlotIndex.firstCandidate(SlotIndex.tag(keys[position].tableHash(seed: seed)), below: index)
  }

  /// Returns the candidate if it has the key at the position. Otherwise, searches for the key.
  @inlinable
  @inline(__always)
  static func checked(
    _ candidate: UnsafePointer<Element>?, _ slot: Int, _ keys: UnsafeBufferPointer<Key>,
    _ position: Int, in table: UnsafePointer<Self>
  ) -> UnsafePointer<Element>? {
    if slot == -1 { return nil }
    if let candidate, Layout.matches(candidate.pointee, keys[position]) { return candidate }
    return search(keys[position], in: table)
  }

  @inlinable
  @inline(never)
  static func search(_ key: Key, in table: UnsafePointer<Self>) -> UnsafePointer<Element>? {
    address(of: key, in: table)
  }
}
