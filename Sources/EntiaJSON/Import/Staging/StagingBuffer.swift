/// A growing list in memory of its own.
///
/// An import reads and changes an element of its lists for each record. An array in a property of a
/// class is retained for each of these, and a retain waits for the memory that was read before it.
/// This list cannot be copied, so that nothing is retained.
@frozen
@usableFromInline
struct StagingBuffer<Element>: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  @usableFromInline var count = 0

  @inlinable
  init() {
    capacity = 0
    start = .allocate(capacity: 0)
  }

  @inlinable
  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }

  @inlinable var indices: Range<Int> { 0..<count }

  @inlinable
  subscript(index: Int) -> Element {
    @inline(__always)
    unsafeAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "Index out of range")
      return UnsafePointer(start + index)
    }
    @inline(__always)
    unsafeMutableAddress {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "Index out of range")
      return start + index
    }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    (start + count).initialize(to: element)
    count &+= 1
  }

  @inlinable
  @inline(never)
  mutating func grow() {
    capacity = max(16, capacity * 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// Removes all elements, each of which is passed to the closure first, and releases the memory.
  @inlinable
  mutating func removeAll(_ body: (consuming Element) -> Void = { _ in }) {
    for index in 0..<count { body((start + index).move()) }
    count = 0
    capacity = 0
    start.deallocate()
    start = .allocate(capacity: 0)
  }
}
