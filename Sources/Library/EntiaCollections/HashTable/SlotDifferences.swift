/// The addresses of one slot's element in two versions; `nil` if the slot is not live. Plain words,
/// so that collecting them retains nothing.
@frozen
@usableFromInline
struct SlotDifference<Element> {
  @usableFromInline let old: UnsafePointer<Element>?
  @usableFromInline let new: UnsafePointer<Element>?
  /// Whether both versions have an element with the same key in the slot.
  @usableFromInline let isUpdate: Bool

  @inlinable
  init(old: UnsafePointer<Element>?, new: UnsafePointer<Element>?, isUpdate: Bool) {
    self.old = old
    self.new = new
    self.isUpdate = isUpdate
  }
}

/// The slots in which two versions differ.
///
/// The first slot is stored without an array. Most versions differ from the previous one in a
/// single element, and finding it takes less time than allocating an array.
@frozen
@usableFromInline
struct SlotDifferences<Value>: Sequence {
  @usableFromInline var first: SlotDifference<Value>?
  @usableFromInline var others: [SlotDifference<Value>] = []

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { first == nil }

  @inlinable var count: Int { first == nil ? 0 : others.count &+ 1 }

  @inlinable
  mutating func append(_ slot: SlotDifference<Value>) {
    if first == nil {
      first = slot
    } else {
      if others.isEmpty { others.reserveCapacity(31) }
      others.append(slot)
    }
  }

  @inlinable
  func makeIterator() -> Iterator { Iterator(first, others) }

  @frozen
  @usableFromInline
  struct Iterator: IteratorProtocol {
    @usableFromInline var first: SlotDifference<Value>?
    @usableFromInline var others: IndexingIterator<[SlotDifference<Value>]>

    @inlinable
    init(_ first: SlotDifference<Value>?, _ others: [SlotDifference<Value>]) {
      self.first = first
      self.others = others.makeIterator()
    }

    @inlinable
    mutating func next() -> SlotDifference<Value>? {
      if let result = first {
        first = nil
        return result
      }
      return others.next()
    }
  }
}
