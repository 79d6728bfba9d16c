/// A growing list in memory of its own, in pieces of 4,096 elements.
///
/// An import reads and changes an element of its lists for each record. If a list were an array in
/// a property of a class, each access would retain the array, and the retain would wait for earlier
/// reads of memory. A `StagingBuffer` is not copyable, so an access retains nothing. Growing does
/// not move the pieces, and at most one piece has free space.
@frozen
@usableFromInline
package struct StagingBuffer<Element>: ~Copyable {
  @usableFromInline package typealias Piece = UnsafeMutablePointer<Element>

  /// The pieces. Only the first one may have room for fewer than 4,096 elements.
  @usableFromInline var pieces: UnsafeMutablePointer<Piece>
  @usableFromInline var pieceCount = 0
  /// The number of elements for which there is room.
  @usableFromInline var capacity = 0
  @usableFromInline package var count = 0

  @inlinable static var shift: Int { 12 }
  @inlinable static var mask: Int { 1 &<< shift &- 1 }

  @inlinable
  package init() { pieces = .allocate(capacity: 0) }

  @inlinable
  deinit {
    for index in 0..<pieceCount {
      pieces[index].deinitialize(count: min(count &- index &<< Self.shift, Self.mask &+ 1))
      pieces[index].deallocate()
    }
    pieces.deallocate()
  }

  @inlinable package var indices: Range<Int> { 0..<count }

  @inlinable
  @inline(__always)
  func address(_ index: Int) -> UnsafeMutablePointer<Element> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "Index out of range")
    return pieces[index &>> Self.shift] + (index & Self.mask)
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
  package mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    count &+= 1
    address(count &- 1).initialize(to: element)
  }

  @inlinable
  @inline(never)
  mutating func grow() {
    let full = Self.mask + 1
    if capacity < full {
      let room = max(16, capacity * 2)
      let first = Piece.allocate(capacity: room)
      if pieceCount == 0 {
        setPieces(room: 1)
      } else {
        first.moveInitialize(from: pieces[0], count: count)
        pieces[0].deallocate()
      }
      pieces[0] = first
      pieceCount = 1
      capacity = room
      return
    }
    // The capacity for pieces is a power of two.
    if pieceCount & (pieceCount - 1) == 0 { setPieces(room: pieceCount * 2) }
    pieces[pieceCount] = .allocate(capacity: full)
    pieceCount += 1
    capacity += full
  }

  @inlinable
  mutating func setPieces(room: Int) {
    let larger = UnsafeMutablePointer<Piece>.allocate(capacity: room)
    larger.initialize(from: pieces, count: pieceCount)
    pieces.deallocate()
    pieces = larger
  }

  /// Removes all elements.
  @inlinable
  package mutating func removeAll() {
    for element in takeAll() { element.deinitialize(count: 1) }
  }

  /// Removes all elements, and returns their addresses. The caller must request all addresses, and
  /// must move or deinitialize each element before it requests the next address.
  @inlinable
  package mutating func takeAll() -> TakenElements<Element> {
    let taken = TakenElements(pieces: pieces, count: count)
    pieces = .allocate(capacity: 0)
    (pieceCount, capacity, count) = (0, 0, 0)
    return taken
  }
}

/// The addresses of elements that were taken out of a buffer. Their memory is released piece by
/// piece.
@frozen
@usableFromInline
package struct TakenElements<Element>: Sequence, IteratorProtocol {
  @usableFromInline typealias Buffer = StagingBuffer<Element>

  @usableFromInline let pieces: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
  /// The number of elements; -1 after the memory was released.
  @usableFromInline var count: Int
  @usableFromInline var place = 0

  @inlinable
  init(pieces: UnsafeMutablePointer<UnsafeMutablePointer<Element>>, count: Int) {
    self.pieces = pieces
    self.count = count
  }

  @inlinable package var underestimatedCount: Int { Swift.max(0, count &- place) }

  @inlinable
  @inline(__always)
  package mutating func next() -> UnsafeMutablePointer<Element>? {
    if place & Buffer.mask == 0 || place >= count { releasePiece() }
    if place >= count { return nil }
    defer { place &+= 1 }
    return pieces[place &>> Buffer.shift] + (place & Buffer.mask)
  }

  /// Releases the piece before `place`. After the last element, also releases the list of pieces.
  @inlinable
  @inline(never)
  mutating func releasePiece() {
    if count < 0 { return }
    if place > 0 { pieces[(place &- 1) &>> Buffer.shift].deallocate() }
    if place < count { return }
    pieces.deallocate()
    count = -1
  }
}

/// An index from the hash of an ID to the position of its row: open addressing over plain words.
@frozen
@usableFromInline
package struct RowIndex: ~Copyable {
  /// The upper half of the hash, and the position plus one; 0 for an empty entry.
  @usableFromInline var entries: UnsafeMutablePointer<UInt64>
  @usableFromInline var count = 0
  /// The number of entries less one, or -1 if there are none.
  @usableFromInline var mask = -1

  @inlinable
  package init() { entries = .allocate(capacity: 0) }

  @inlinable
  deinit { entries.deallocate() }

  /// Returns the matching position, among the positions with an equal upper half of the hash.
  @inlinable
  @inline(__always)
  package func find(_ hash: UInt64, _ matches: (Int) -> Bool) -> Int? {
    guard mask >= 0 else { return nil }
    var place = Int(truncatingIfNeeded: hash >> 32) & mask
    while true {
      let entry = entries[place]
      if entry == 0 { return nil }
      let position = Int(UInt32(truncatingIfNeeded: entry)) - 1
      if entry >> 32 == hash >> 32, matches(position) { return position }
      place = (place + 1) & mask
    }
  }

  /// Adds a position that is not in the index.
  @inlinable
  package mutating func add(_ hash: UInt64, _ position: Int) {
    if (count + 1) * 4 > (mask + 1) * 3 { grow() }
    count += 1
    set((hash >> 32) << 32 | UInt64(position + 1))
  }

  @inlinable
  mutating func set(_ entry: UInt64) {
    // The stored half of the hash determines the slot of an entry, so that growing does not need
    // the whole hash.
    var place = Int(truncatingIfNeeded: entry >> 32) & mask
    while entries[place] != 0 { place = (place + 1) & mask }
    entries[place] = entry
  }

  @usableFromInline
  mutating func grow() {
    let (old, oldCount) = (entries, mask + 1)
    let count = max(16, oldCount * 2)
    entries = .allocate(capacity: count)
    entries.initialize(repeating: 0, count: count)
    mask = count - 1
    for index in 0..<oldCount where old[index] != 0 { set(old[index]) }
    old.deallocate()
  }
}
