/// Elements in consecutive slots. The header is the mask of the live slots.
@usableFromInline
final class Page<Element>: ManagedBuffer<UInt64, Element>, PageKind {
  @inlinable
  deinit {
    let live = header
    if live == 0 { return }
    withUnsafeMutablePointerToElements { elements in
      if live & (live &+ 1) == 0 {
        elements.deinitialize(count: live.nonzeroBitCount)
        return
      }
      var rest = live
      while rest != 0 {
        (elements + rest.trailingZeroBitCount).deinitialize(count: 1)
        rest &= rest &- 1
      }
    }
  }
}

extension Page: CopyableNodeKind {
  @inlinable
  @inline(never)
  static func duplicate(_ page: NodeRef<Page>) -> Page {
    // Only a full page is prefetched. Any other page may be the first page of a small table, which
    // has less memory than `prefetch()` reads.
    if page.live == PageHandle<Element>.full { _ = page.prefetch() }
    let result = PageHandle<Element>.allocate(capacity: PageHandle<Element>.capacity, header: 0)
    page.copyElements(to: PageHandle(borrowing: result))
    return result
  }
}

/// The constraint that the class `Page<Element>` satisfies for every `Element`.
@usableFromInline
protocol PageKind: NodeKind where Header == UInt64 {}

@usableFromInline typealias PageHandle<Element> = NodeRef<Page<Element>>

extension NodeRef where Kind: PageKind {
  /// Log2 of the number of slots in a page. A page has at least four slots, and more slots only if
  /// the page stays within about 1 KB. A page within this limit is in the allocator's fast size
  /// classes, and is cheap to copy for a single change.
  @inlinable
  @inline(__always)
  static var shift: Int {
    let stride = MemoryLayout<Kind.Element>.stride
    if stride <= 16 { return 6 }
    if stride <= 32 { return 5 }
    if stride <= 64 { return 4 }
    if stride <= 128 { return 3 }
    return 2
  }

  @inlinable
  @inline(__always)
  static var capacity: Int { 1 &<< shift }

  /// The live mask of a page whose slots are all live.
  @inlinable
  @inline(__always)
  static var full: UInt64 { ~0 &>> UInt64(truncatingIfNeeded: 64 &- capacity) }

  /// Creates an empty page.
  @inlinable
  @inline(__always)
  static func make(capacity: Int = Self.capacity) -> Self { make(capacity: capacity, header: 0) }

  /// The mask of the live slots.
  @inlinable
  @inline(__always)
  var live: UInt64 { header.pointee }

  /// Prefetches the memory of a page in parallel, because iterating or copying it would wait for
  /// one cache line after another. The page must have room for `capacity` elements, as every page
  /// except the first has.
  /// - Returns: `true`, computed from the loaded words, because the compiler would otherwise remove
  ///   the loads.
  @inlinable
  @inline(__always)
  func prefetch() -> Bool {
    var marks: UInt = 1
    var offset = 0
    while offset < MemoryLayout<Kind.Element>.stride &<< Self.shift {
      marks |= address.load(fromByteOffset: offset, as: UInt.self) ^ UInt.max
      offset &+= 128
    }
    return marks != 1
  }

  /// Copies the elements to an empty page with room for them.
  @inlinable
  func copyElements(to empty: Self) {
    let source = elements
    let target = empty.mutableElements
    let all = live
    empty.mutableHeader.pointee = all
    if all == Self.full {
      for slot in 0..<Self.capacity { (target + slot).initialize(to: source[slot]) }
      return
    }
    var rest = all
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      (target + slot).initialize(to: source[slot])
      rest &= rest &- 1
    }
  }

  /// Moves the elements to an empty page with room for them, or copies them if this page is shared.
  @inlinable
  func moveElements(to empty: Self) {
    guard isUnique else {
      TableWork.note(.nodeCopied)
      copyElements(to: empty)
      return
    }
    let all = live
    empty.mutableHeader.pointee = all
    mutableHeader.pointee = 0
    // Dead slots hold no element, so moving their bytes as well is harmless.
    UnsafeMutableRawPointer(empty.mutableElements).copyMemory(
      from: elements,
      byteCount: MemoryLayout<Kind.Element>.stride &* (64 &- all.leadingZeroBitCount))
  }
}
