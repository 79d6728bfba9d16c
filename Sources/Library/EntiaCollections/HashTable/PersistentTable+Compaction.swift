// A new row never takes the slot of a removed row, so that slot order is insertion order. A
// compaction closes a gap of dead slots step by step: every insertion or removal moves a few live
// rows from after the gap to its start. No operation compacts the whole table, unless the slot
// numbers run out.

extension PersistentTable {
  /// The maximum number of rows that an operation moves during a compaction.
  @inlinable
  @inline(__always)
  static var movesPerOperation: Int { 4 }

  /// The number of dead slots up to which no compaction starts, however few rows the table has.
  @inlinable
  @inline(__always)
  static var toleratedSlots: Int { 128 }

  /// The upper bound of the slot numbers, which the index stores in 32 bits.
  @inlinable
  @inline(__always)
  static var slotLimit: Int { Int(truncatingIfNeeded: UInt32.max) }

  @inlinable
  @inline(__always)
  var isCompacting: Bool { gapEndSlot != .max }

  @inlinable
  var gapStart: Int {
    get { Int(truncatingIfNeeded: gapStartSlot) }
    set { gapStartSlot = UInt32(truncatingIfNeeded: newValue) }
  }

  @inlinable
  var gapEnd: Int {
    get { Int(truncatingIfNeeded: gapEndSlot) }
    set { gapEndSlot = UInt32(truncatingIfNeeded: newValue) }
  }

  /// Called before every insertion. Starts a compaction if more than a third of the slots are dead,
  /// apart from `toleratedSlots` dead slots.
  @inlinable
  @inline(__always)
  mutating func compactBeforeInsertion() {
    if isCompacting || nextSlot > liveCount &+ liveCount / 2 &+ Self.toleratedSlots {
      compactSome()
    }
    if nextSlot >= Self.slotLimit { compactAll() }
  }

  /// Called after every removal. This method starts a compaction at more dead slots than
  /// `compactBeforeInsertion`, because a table that is being emptied need not be compacted.
  @inlinable
  @inline(__always)
  mutating func compactAfterRemoval() {
    if isCompacting || needsCompactionAfterRemoval { compactSome() }
  }

  @inlinable
  @inline(__always)
  var needsCompactionAfterRemoval: Bool { nextSlot > 4 &* liveCount &+ Self.toleratedSlots }

  @inlinable
  @inline(never)
  mutating func compactAll() {
    repeat { compactSome() } while isCompacting
    precondition(nextSlot < Self.slotLimit, "a table holds fewer than 2^32 rows")
  }

  /// Moves a few rows from after the gap to its start, with a bounded amount of work. Begins a
  /// compaction if none is in progress, and finishes the compaction after the last row.
  @inlinable
  @inline(never)
  mutating func compactSome() {
    if !isCompacting {
      gapStart = 0
      gapEnd = 0
    }
    var moves = Self.movesPerOperation
    var looks = 64
    while moves > 0, looks > 0 {
      looks &-= 1
      let run = firstLiveRun(from: gapEnd)
      if run.isEmpty {
        finishCompaction()
        return
      }
      if gapStart == gapEnd, run.lowerBound == gapEnd {
        gapStart = run.upperBound
        gapEnd = run.upperBound
        continue
      }
      for slot in run.prefix(moves) {
        move(from: slot, to: gapStart)
        gapStart &+= 1
        gapEnd = slot &+ 1
        moves &-= 1
      }
    }
  }

  @inlinable
  mutating func finishCompaction() {
    nextSlot = gapStart
    gapStartSlot = 0
    gapEndSlot = .max
    while height > 0, nextSlot <= Page.capacity &<< (TreeNode.shift &* height) {
      let old = root
      guard let child = top?.elements[0] else { return }
      child.retain()
      setRoot(child.cast())
      withExtendedLifetime(old) {}
      levels &-= 1
    }
  }

  /// Moves the row of a live slot to an earlier slot, which is dead.
  @inlinable
  mutating func move(from slot: Int, to target: Int) {
    let positionMask = Page.capacity &- 1
    let tag = self.tag(of: Layout.key(of: pointer(at: slot).pointee))
    let targetPage = Self.uniquePage(uniquePageWord(target))
    // `uniquePageWord` copies only shared nodes. The path to `target` is already unique, so this
    // call does not copy a node on that path.
    let word = uniquePageWord(slot)
    let page = Self.uniquePage(word)
    let place = target & positionMask
    (targetPage.mutableElements + place).moveInitialize(
      from: page.mutableElements + (slot & positionMask), count: 1)
    targetPage.mutableHeader.pointee |= 1 &<< UInt64(truncatingIfNeeded: place)
    vacate(slot, in: page)
    index.move(tag, from: slot, to: target)
  }

  /// Marks a slot as dead after its element was moved out. The slot's page must be unique, and is
  /// released if it is empty.
  @inlinable
  @inline(__always)
  mutating func vacate(_ slot: Int, in page: Page) {
    let position = slot & (Page.capacity &- 1)
    let live = page.mutableHeader
    live.pointee &= ~(1 &<< UInt64(truncatingIfNeeded: position))
    if live.pointee == 0 { dropPage(of: slot) }
  }

  /// Releases the unique page of a slot if it is empty.
  @inlinable
  @inline(__always)
  mutating func dropPageIfEmpty(of slot: Int) {
    guard Self.page(of: slot, top: top, height: height).live == 0 else { return }
    dropPage(of: slot)
  }

  /// Releases an empty page and the nodes that led only to it. The path to the page is unique.
  @inlinable
  @inline(never)
  mutating func dropPage(of slot: Int) {
    let pageShift = Page.shift
    var shift = pageShift &+ TreeNode.shift &* height
    var node = top.unsafelyUnwrapped
    // The node of `word` is the lowest node on the path to `slot` with more than one child, or the
    // root if there is no such node. The nodes below `word` lead only to the page of `slot`, and
    // are released with the page.
    var word = node.word(of: slot, shift: shift)
    while shift != pageShift {
      node = node.inner(of: slot, shift: shift)
      shift &-= TreeNode.shift
      if node.childCount > 1 { word = node.word(of: slot, shift: shift) }
    }
    guard let gone = word.pointee else { return }
    word.pointee = nil
    gone.release()
  }

  /// Returns the first run of live slots within one page, at or after a slot; empty if there is
  /// none.
  @inlinable
  func firstLiveRun(from firstSlot: Int) -> Range<Int> {
    guard let top else { return 0..<0 }
    let pageShift = Page.shift
    var slot = firstSlot
    search: while slot < nextSlot {
      var node = top
      var shift = pageShift &+ TreeNode.shift &* height
      while true {
        guard let child = node.child(of: slot, shift: shift) else {
          slot = ((slot &>> shift) &+ 1) &<< shift
          continue search
        }
        node = child.cast()
        if shift == pageShift { break }
        shift &-= TreeNode.shift
      }
      let page = node.cast(to: Page.self)
      let position = slot & (Page.capacity &- 1)
      let live = page.live &>> UInt64(truncatingIfNeeded: position)
      if live == 0 {
        slot = ((slot &>> pageShift) &+ 1) &<< pageShift
        continue
      }
      let start = slot &+ live.trailingZeroBitCount
      let rest = ~(live &>> UInt64(truncatingIfNeeded: live.trailingZeroBitCount))
      // The run cannot extend past the page, because the shifts fill `live` with zeros from above.
      return start..<(start &+ rest.trailingZeroBitCount)
    }
    return 0..<0
  }
}
