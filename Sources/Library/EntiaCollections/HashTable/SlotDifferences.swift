/// The addresses of one slot's element in two versions; `nil` if the slot is not live. Because the
/// addresses are plain pointers, collecting differences retains no object.
///
/// The type is not generic, because unspecialized code looks up the metadata of a generic type at
/// each access.
@frozen
@usableFromInline
struct SlotDifference {
  @usableFromInline let oldAddress: UnsafeRawPointer?
  @usableFromInline let newAddress: UnsafeRawPointer?
  /// Whether both versions have an element with the same key in the slot.
  @usableFromInline let isUpdate: Bool

  @inlinable
  @inline(__always)
  init(old: UnsafeRawPointer?, new: UnsafeRawPointer?, isUpdate: Bool) {
    oldAddress = old
    newAddress = new
    self.isUpdate = isUpdate
  }

  /// Returns the address of the element in the older version.
  @inlinable
  @inline(__always)
  func old<Element>(_ type: Element.Type) -> UnsafePointer<Element>? {
    oldAddress?.assumingMemoryBound(to: type)
  }

  /// Returns the address of the element in the newer version.
  @inlinable
  @inline(__always)
  func new<Element>(_ type: Element.Type) -> UnsafePointer<Element>? {
    newAddress?.assumingMemoryBound(to: type)
  }
}

/// The slots in which two versions differ.
///
/// The first slot is stored without an array, because most versions differ from the previous
/// version in a single slot. Allocating an array takes longer than finding that slot.
@frozen
@usableFromInline
struct SlotDifferences: Sequence {
  @usableFromInline var first: SlotDifference?
  @usableFromInline var others: [SlotDifference] = []

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { first == nil }

  @inlinable var count: Int { first == nil ? 0 : others.count &+ 1 }

  @inlinable
  mutating func append(_ slot: SlotDifference) {
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
    @usableFromInline var first: SlotDifference?
    @usableFromInline var others: IndexingIterator<[SlotDifference]>

    @inlinable
    init(_ first: SlotDifference?, _ others: [SlotDifference]) {
      self.first = first
      self.others = others.makeIterator()
    }

    @inlinable
    mutating func next() -> SlotDifference? {
      if let result = first {
        first = nil
        return result
      }
      return others.next()
    }
  }
}
