/// A growing list in one piece of memory. Code that reads or writes a record appends elements and
/// later removes them, and the list keeps its memory for the next record.
///
/// An array checks at each change whether another copy shares its storage, and is retained while
/// one of its elements is read. This list needs no check and no retain, because it cannot be
/// copied.
@frozen
@usableFromInline
package struct ScratchList<Element>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>
  /// The number of elements for which there is room.
  @usableFromInline var capacity: Int
  @usableFromInline package var count = 0

  @inlinable
  package init(capacity: Int = 64) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  @inlinable
  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// The elements, which are valid until the next change.
  @inlinable
  @inline(__always)
  package var elements: UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: base, count: count)
  }

  /// Returns the elements from an index on, which are valid until the next change.
  @inlinable
  @inline(__always)
  package func elements(from start: Int) -> UnsafeBufferPointer<Element> {
    precondition(UInt(bitPattern: start) <= UInt(bitPattern: count), "Index out of range")
    return UnsafeBufferPointer(start: base + start, count: count &- start)
  }

  /// Returns the elements in a range, which are valid until the next change.
  @inlinable
  @inline(__always)
  package func elements(in range: Range<Int>) -> UnsafeBufferPointer<Element> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Range out of bounds")
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  @inlinable
  package subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress { UnsafePointer(address(index)) }
    @inline(__always)
    unsafeMutableAddress { address(index) }
  }

  @inlinable
  @inline(__always)
  func address(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "Index out of range")
    return base + index
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ element: consuming Element) {
    if count == capacity { grow(by: 1) }
    (base + count).initialize(to: element)
    count &+= 1
  }

  @inlinable
  @inline(__always)
  package mutating func removeLast() -> Element {
    precondition(count > 0, "The list is empty")
    count &-= 1
    return (base + count).move()
  }

  /// Removes the elements from an index on, and keeps their memory.
  @inlinable
  @inline(__always)
  package mutating func removeAll(from start: Int = 0) {
    precondition(UInt(bitPattern: start) <= UInt(bitPattern: count), "Index out of range")
    (base + start).deinitialize(count: count &- start)
    count = start
  }

  @inline(never)
  @inlinable
  mutating func grow(by more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
  }
}

extension ScratchList where Element == UInt8 {
  /// Appends bytes, which must not be in this list.
  @inlinable
  @inline(__always)
  package mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    let count = bytes.count
    if capacity &- self.count < count { grow(by: count) }
    let target = base + self.count
    self.count &+= count
    // Most values are so short that a call of the system's function takes longer than the copy.
    switch count {
    case 8...16: Self.copyEnds(of: start, to: target, count, UInt64.self)
    case 4..<8: Self.copyEnds(of: start, to: target, count, UInt32.self)
    case 0..<4: for index in 0..<count { target[index] = start[index] }
    default: target.update(from: start, count: count)
    }
  }

  /// Copies bytes as two words, the first and the last, which may overlap.
  @inlinable
  @inline(__always)
  static func copyEnds<Word: BitwiseCopyable>(
    of source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, _ count: Int,
    _ word: Word.Type
  ) {
    let last = count &- MemoryLayout<Word>.size
    let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
    let (head, tail) = (
      source.loadUnaligned(as: word), source.loadUnaligned(fromByteOffset: last, as: word)
    )
    target.storeBytes(of: head, as: word)
    target.storeBytes(of: tail, toByteOffset: last, as: word)
  }
}

/// Growing bytes, to which JSON text is appended.
@usableFromInline
package protocol ByteSink: ~Copyable {
  mutating func append(_ byte: UInt8)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)
}

extension [UInt8]: ByteSink {}
extension ScratchList: ByteSink where Element == UInt8 {}
