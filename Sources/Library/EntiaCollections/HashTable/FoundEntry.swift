/// The result of looking up a key in a table.
@frozen
@usableFromInline
struct FoundEntry<Element> {
  /// The address of the element with the key, or `nil`.
  @usableFromInline let element: UnsafePointer<Element>?
  /// The slot of the element, or -1.
  @usableFromInline let slot: Int
  /// The position of the key's entry in its chunk of the index, as `SlotIndex.findEntry` returns
  /// it. If there is none, it is a position in the bucket with room for the entry.
  @usableFromInline let entry: Int

  @inlinable
  @inline(__always)
  init(_ element: UnsafePointer<Element>, slot: Int, entry: Int) {
    self.element = element
    self.slot = slot
    self.entry = entry
  }

  /// Creates the result for a key that no element has.
  @inlinable
  @inline(__always)
  init(missingAt entry: Int) {
    element = nil
    slot = -1
    self.entry = entry
  }
}
