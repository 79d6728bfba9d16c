extension PersistentTable: Sequence {
  /// Calls the closure with every element, in insertion order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*), with no work for an element except the call.
  @inlinable
  @inline(__always)
  package func forEach(_ body: (Element) throws -> Void) rethrows {
    var slot = 0
    var looksAhead = false
    while let node = lowestNode(from: slot, looksAhead) {
      slot = node.end
      looksAhead = node.looksAhead
      for index in 0..<TreeNode.fanOut {
        guard let page = node.children[index]?.cast(to: Page.self) else { continue }
        let elements = page.elements
        var rest = page.live
        if rest == Page.full {
          // A constant count, so that the compiler unrolls the loop.
          for position in 0..<Page.capacity { try body(elements[position]) }
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

  /// The elements in insertion order, as an array. It is faster than `Array(table)`.
  /// - Complexity: O(*n*).
  @inlinable
  package var elements: [Element] {
    // An array without capacity writes its count to the global empty array, which the thread
    // sanitizer reports as a race.
    if isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
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
  package var underestimatedCount: Int { count }

  /// Returns an iterator over the elements, in insertion order.
  /// - Complexity: O(1).
  @inlinable
  package func makeIterator() -> Iterator { Iterator(self) }

  /// An iterator over the elements of one version, in insertion order.
  @frozen
  @usableFromInline
  package struct Iterator: IteratorProtocol {
    /// If the current page is full, the address of its next element; otherwise equal to `end`.
    // Not optional, because each call of `next()` would check an optional for `nil`.
    @usableFromInline var current: UnsafePointer<Element>
    /// If the current page is full, its end; otherwise the address of its first element.
    @usableFromInline var end: UnsafePointer<Element>
    /// If the current page is not full, its live slots that have not been visited.
    // The slots are visited one by one. A loop over runs of adjacent slots would be slower, because
    // the processor cannot predict the lengths of the runs.
    @usableFromInline var rest: UInt64
    @usableFromInline var cursor: PageCursor<Layout>

    @inlinable
    init(_ table: PersistentTable) {
      current =
        UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)
        .unsafelyUnwrapped
      end = current
      rest = 0
      cursor = PageCursor(table)
    }

    /// Returns the next element, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    package mutating func next() -> Element? { nextPointer()?.pointee }

    /// Returns the address of the next element, valid while the iterator exists.
    @inlinable
    @inline(__always)
    mutating func nextPointer() -> UnsafePointer<Element>? {
      if current == end {
        while rest == 0 {
          guard let page = cursor.nextPage() else { return nil }
          let live = page.live
          end = page.elements
          current = end
          if live == Page.full {
            end += Page.capacity
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

/// Visits the pages of one version of a table, in slot order.
@frozen
@usableFromInline
struct PageCursor<Layout: KeyedElements> {
  @usableFromInline typealias Element = Layout.Element

  @usableFromInline let table: PersistentTable<Layout>
  /// The remaining children of the current node of the lowest level.
  @usableFromInline var child: UnsafePointer<AnyNode?>?
  @usableFromInline var childrenEnd: UnsafePointer<AnyNode?>?
  /// Whether to prefetch scattered pages of the next node.
  @usableFromInline var looksAhead: Bool
  /// The first slot of the next node of the lowest level.
  @usableFromInline var nextSlot: Int

  @inlinable
  init(_ table: PersistentTable<Layout>) {
    self.table = table
    child = nil
    childrenEnd = nil
    nextSlot = 0
    looksAhead = false
  }

  /// Returns the next page, or `nil` after the last.
  @inlinable
  @inline(__always)
  mutating func nextPage() -> PageHandle<Element>? {
    while true {
      if child == childrenEnd {
        guard let node = table.lowestNode(from: nextSlot, looksAhead) else { return nil }
        child = node.children
        childrenEnd = node.children + PersistentTable<Layout>.TreeNode.fanOut
        nextSlot = node.end
        looksAhead = node.looksAhead
      }
      let page = child.unsafelyUnwrapped.pointee
      child = child.unsafelyUnwrapped + 1
      if let page { return page.cast() }
    }
  }
}

extension PersistentTable {
  /// Finds the first node of the lowest level at or after `firstSlot`, which must be the first slot
  /// of a node of this level. Returns the node's `children` and the `end` of its slots, or `nil` if
  /// there is no further node. If `looksAhead` is `true`, prefetches scattered pages of the node.
  /// The returned `looksAhead` is the argument for the next call.
  // Takes and returns plain values, so that callers keep their position in registers.
  @inlinable
  @inline(never)
  func lowestNode(
    from firstSlot: Int, _ looksAhead: Bool
  ) -> (children: UnsafePointer<AnyNode?>, end: Int, looksAhead: Bool)? {
    guard let top else { return nil }
    let lowestShift = PageHandle<Element>.shift
    var slot = firstSlot
    search: while slot < nextSlot {
      var node = top
      var shift = lowestShift &+ TreeNode.shift &* height
      while shift != lowestShift {
        guard let next = node.child(of: slot, shift: shift) else {
          slot = ((slot &>> shift) &+ 1) &<< shift
          continue search
        }
        node = next.cast()
        shift &-= TreeNode.shift
      }
      return (
        node.elements, slot &+ (1 &<< (lowestShift &+ TreeNode.shift)),
        // Pages of small tables are not prefetched, because they are usually cached. Pages of the
        // first node are not prefetched either, because a caller may need only the first rows.
        looksAhead ? Self.prefetchScatteredPages(of: node) : height > 1
      )
    }
    return nil
  }

  /// Prefetches the pages of a node of the lowest level in parallel. Does nothing if most of them
  /// lie close together in memory, because the processor itself then fetches them in time.
  /// - Returns: Always `true`. The result is computed from the loaded words, because the compiler
  ///   would otherwise remove the loads.
  @inlinable
  @inline(__always)
  static func prefetchScatteredPages(of node: TreeNode) -> Bool {
    let children = node.elements
    var far = 0
    for index in 1..<TreeNode.fanOut {
      guard let page = children[index], let last = children[index &- 1] else { continue }
      let distance = page.address - last.address
      if distance.magnitude > 4096 { far &+= 1 }
    }
    if far < TreeNode.fanOut / 4 { return true }
    var continues = true
    for index in 0..<TreeNode.fanOut {
      guard let page = children[index] else { continue }
      // `prefetch` always returns `true`. `==` combines the results without a conditional jump,
      // because a jump would wait for the loads.
      continues = page.cast(to: Page.self).prefetch() == continues
    }
    return continues
  }
}
