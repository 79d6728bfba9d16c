/// The result of vacating the slot of a key.
@frozen
@usableFromInline
struct VacatedSlot<Element> {
  @usableFromInline let slot: Int
  /// The address of the element to be moved out; `nil` if there is no element with the key.
  @usableFromInline let element: UnsafeMutablePointer<Element>?
  /// Whether the page is empty or the table is to be compacted.
  @usableFromInline let needsCleanUp: Bool

  @inlinable
  @inline(__always)
  init(slot: Int, element: UnsafeMutablePointer<Element>?, needsCleanUp: Bool) {
    self.slot = slot
    self.element = element
    self.needsCleanUp = needsCleanUp
  }
}
