/// Elements in consecutive slots. The header is the mask of the live slots.
@usableFromInline
final class Page<Element>: ManagedBuffer<UInt64, Element> {
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

/// The operations on pages of one element type.
@usableFromInline
enum Pages<Element> {
  /// Log2 of the number of slots in a page. Pages are sized by bytes, at most about 1 KB, so that a
  /// page stays within the allocator's fast size classes and copying one for a single change stays
  /// cheap.
  @inlinable
  @inline(__always)
  static var shift: Int {
    let stride = MemoryLayout<Element>.stride
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

  @inlinable
  @inline(__always)
  static func live(_ page: NodePointer) -> UnsafeMutablePointer<UInt64> {
    Unmanaged<Page<Element>>.fromOpaque(page)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToHeader { $0 }
    }
  }

  @inlinable
  @inline(__always)
  static func elements(_ page: NodePointer) -> UnsafeMutablePointer<Element> {
    Unmanaged<Page<Element>>.fromOpaque(page)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  /// Returns an empty page. It takes two steps for the reason given at `owned`.
  @inlinable
  @inline(__always)
  static func make(capacity: Int = capacity) -> NodePointer { owned(allocate(capacity)) }

  @inlinable
  @inline(never)
  static func allocate(_ capacity: Int) -> Page<Element> {
    unsafeDowncast(
      Page<Element>.create(minimumCapacity: capacity) { _ in 0 }, to: Page<Element>.self)
  }

  @inlinable
  @inline(__always)
  static func copy(_ page: NodePointer) -> NodePointer { owned(duplicate(page)) }

  @inlinable
  @inline(never)
  static func duplicate(_ page: NodePointer) -> Page<Element> {
    // A page that is not full may be the smaller first page of a small table.
    if live(page).pointee == full { _ = fetch(page) }
    let result = allocate(capacity)
    copy(from: page, to: borrowed(result))
    return result
  }

  /// Prefetches the memory of a page in parallel; iterating or copying it would wait for one cache
  /// line after another. The page must have room for `capacity` elements, as every page except the
  /// first has.
  /// - Returns: Whether to continue prefetching. The result depends on the loaded words, because
  ///   the compiler would otherwise remove the loads.
  @inlinable
  @inline(__always)
  static func fetch(_ page: NodePointer) -> Bool {
    var marks: UInt = 1
    var offset = 0
    while offset < MemoryLayout<Element>.stride &<< shift {
      marks |= page.load(fromByteOffset: offset, as: UInt.self) ^ UInt.max
      offset &+= 128
    }
    return marks != 1
  }

  /// Copies the elements of a page to an empty page with room for them.
  @inlinable
  static func copy(from page: NodePointer, to empty: NodePointer) {
    TableWork.note(.nodeCopied)
    let source = elements(page)
    let target = elements(empty)
    let all = live(page).pointee
    live(empty).pointee = all
    if all == full {
      for slot in 0..<capacity { (target + slot).initialize(to: source[slot]) }
      return
    }
    var rest = all
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      (target + slot).initialize(to: source[slot])
      rest &= rest &- 1
    }
  }

  /// Moves the elements of a page to an empty page with room for them, or copies them if the page
  /// is shared.
  @inlinable
  static func move(from page: NodePointer, to empty: NodePointer) {
    guard isUniqueNode(page) else {
      copy(from: page, to: empty)
      return
    }
    let all = live(page).pointee
    live(empty).pointee = all
    live(page).pointee = 0
    // Dead slots hold no element, so moving their bytes as well is harmless.
    UnsafeMutableRawPointer(elements(empty)).copyMemory(
      from: elements(page),
      byteCount: MemoryLayout<Element>.stride &* (64 &- all.leadingZeroBitCount))
  }
}
