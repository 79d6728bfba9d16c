extension PersistentTable: Sequence {
  /// Calls the closure with every element, in insertion order.
  /// - Throws: what the closure throws.
  /// - Complexity: O(*n*), with no work for an element but the call.
  @inlinable
  @inline(__always)
  public func forEach(_ body: (Element) throws -> Void) rethrows {
    var slot = 0
    // Pages of small tables are at hand.
    var looksAhead = height > 1
    while let node = lowestNode(from: slot) {
      slot = node.end
      for index in 0..<Spines.fanOut {
        guard let page = node.children[index] else { continue }
        if looksAhead, index &+ 1 < Spines.fanOut, let next = node.children[index &+ 1] {
          looksAhead = Pages<Element>.fetch(next)
        }
        let elements = Pages<Element>.elements(page)
        var rest = Pages<Element>.live(page).pointee
        if rest == Pages<Element>.full {
          // A constant count, which the compiler unrolls.
          for position in 0..<Pages<Element>.capacity { try body(elements[position]) }
          continue
        }
        while rest != 0 {
          try body(elements[rest.trailingZeroBitCount])
          rest &= rest &- 1
        }
      }
    }
    withExtendedLifetime(self) {}
  }

  /// The elements in insertion order, as an array: faster than an array made of the sequence.
  /// - Complexity: O(*n*).
  @inlinable
  package var elements: [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      var place = start
      forEach {
        place.initialize(to: $0)
        place += 1
      }
      initialized = place - start
    }
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
    /// The next element of the full page that is being walked.
    // Not optional: whether there is one would be asked for every element.
    @usableFromInline var current: UnsafeMutablePointer<Element>
    /// The end of that page; the first element of one that is not full.
    @usableFromInline var end: UnsafeMutablePointer<Element>
    /// The live slots yet to be walked of a page that is not full.
    // One by one rather than in runs: the lengths of runs cannot be foreseen by the processor.
    @usableFromInline var rest: UInt64
    @usableFromInline var cursor: PageCursor<Layout>

    @inlinable
    init(_ table: PersistentTable) {
      current =
        UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment)
        .unsafelyUnwrapped
      end = current
      rest = 0
      cursor = PageCursor(table)
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
      if current == end {
        while rest == 0 {
          guard let page = cursor.nextPage() else { return nil }
          let live = Pages<Element>.live(page).pointee
          end = Pages<Element>.elements(page)
          current = end
          if live == Pages<Element>.full {
            end += Pages<Element>.capacity
            current += 1
            return current - 1
          }
          rest = live
        }
        let position = rest.trailingZeroBitCount
        rest &= rest &- 1
        return end + position
      }
      let result = current
      current = result + 1
      return result
    }
  }
}

// The iterator's addresses point into nodes that its own table value keeps alive and unchanged.
extension PersistentTable.Iterator: @unchecked Sendable where Layout.Element: Sendable {}
