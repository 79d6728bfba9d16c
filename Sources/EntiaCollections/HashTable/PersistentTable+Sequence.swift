extension PersistentTable: Sequence {
  /// Calls the closure with every element, in insertion order.
  /// - Throws: what the closure throws.
  /// - Complexity: O(*n*), with no work for an element but the call.
  @inlinable
  @inline(__always)
  public func forEach<Failure: Error>(
    _ body: (Element) throws(Failure) -> Void
  ) throws(Failure) {
    var iterator = makeIterator()
    while let element = iterator.nextPointer() { try body(element.pointee) }
  }

  /// The number of elements.
  @inlinable
  public var underestimatedCount: Int { count }

  /// Returns an iterator over the elements, in insertion order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Walks the elements of one version, in insertion order.
  @frozen
  public struct Iterator: IteratorProtocol {
    @usableFromInline let table: PersistentTable
    /// The first slot of the next page to look at.
    @usableFromInline var nextPageSlot: Int
    @usableFromInline var rest: UInt64
    @usableFromInline var elements: UnsafeMutablePointer<Element>?

    @inlinable
    init(_ table: PersistentTable) {
      self.table = table
      nextPageSlot = 0
      rest = 0
      elements = nil
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    public mutating func next() -> Element? { nextPointer()?.pointee }

    /// The address of the next element, valid while the iterator lives.
    @inlinable
    @inline(__always)
    mutating func nextPointer() -> UnsafeMutablePointer<Element>? {
      if rest == 0, !advanceToNextPage() { return nil }
      let position = rest.trailingZeroBitCount
      rest &= rest &- 1
      return elements.unsafelyUnwrapped + position
    }

    @inlinable
    @inline(never)
    mutating func advanceToNextPage() -> Bool {
      guard let root = table.root else { return false }
      let pageShift = Pages<Element>.shift
      search: while nextPageSlot < table.nextSlot {
        let slot = nextPageSlot
        var node = borrowed(root)
        var shift = pageShift &+ Spines.shift &* table.height
        while true {
          guard let child = Spines.children(node)[Spines.child(of: slot, shift: shift)] else {
            // A missing child: on to the next one at its level.
            nextPageSlot = ((slot &>> shift) &+ 1) &<< shift
            continue search
          }
          node = child
          if shift == pageShift { break }
          shift &-= Spines.shift
        }
        nextPageSlot = slot &+ Pages<Element>.capacity
        rest = Pages<Element>.live(node).pointee
        elements = Pages<Element>.elements(node)
        return true
      }
      return false
    }
  }
}

// The iterator's address points into nodes that its own table value keeps alive and unchanged.
extension PersistentTable.Iterator: @unchecked Sendable where Layout.Element: Sendable {}
