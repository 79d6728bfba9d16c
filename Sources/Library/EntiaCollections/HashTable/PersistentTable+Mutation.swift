extension PersistentTable {
  /// Creates a table of the elements. Of several elements with the same key, the last one is
  /// stored, at the position of the first.
  /// - Complexity: O(*n*) expected.
  @inlinable
  package init(_ elements: some Sequence<Element>) {
    self.init()
    fill(elements, inserted: { _ in }, replace: { $0.replace($1) })
  }

  /// Reserves room in the index for a total number of elements, so that their insertion does not
  /// grow the index step by step.
  /// - Complexity: O(*n*) in the larger of the capacity and the count.
  @inlinable
  package mutating func reserveCapacity(_ capacity: Int) {
    if capacity > count { index.reserveCapacity(capacity) }
    checkInvariants()
  }

  /// Inserts an element. If the table has an element with the same key, replaces that element
  /// without moving it.
  /// - Returns: The element that was replaced, or `nil`.
  /// - Complexity: O(1) expected and amortized, plus O(log *n*) for copying what an older version
  ///   shares.
  @inlinable
  @discardableResult
  package mutating func updateOrInsert(_ element: consuming Element) -> Element? {
    let key = Layout.key(of: element)
    let tag = self.tag(of: key)
    let found = findEntry(of: key, tag: tag)
    if found.slot >= 0 {
      let target = uniquePointer(at: found.slot)
      let old = target.move()
      target.initialize(to: element)
      return old
    }
    append(element, tag: tag, near: found.entry)
    return nil
  }

  /// Finds the element with a key and changes it in place. The closure must not change the key.
  /// - Returns: The result of the closure, or `nil` if there is no such element.
  /// - Throws: The error of the closure. Changes that the closure made before it threw are kept.
  /// - Complexity: O(1) expected, plus O(log *n*) for copying what an older version shares.
  @inlinable
  @inline(__always)
  package mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let slot = slot(of: key)
    if slot < 0 { return nil }
    return try body(&uniquePointer(at: slot).pointee)
  }

  /// Replaces the element that has the same key as the given element. If there is none, nothing is
  /// stored.
  /// - Returns: The element that was replaced, or `nil` if there was none.
  /// - Complexity: O(1) expected, plus O(log *n*) for copying what an older version shares.
  @inlinable
  @discardableResult
  package mutating func replace(_ element: consuming Element) -> Element? {
    let slot = slot(of: Layout.key(of: element))
    if slot < 0 { return nil }
    let target = uniquePointer(at: slot)
    let old = target.move()
    target.initialize(to: element)
    return old
  }

  /// Removes the element with a key.
  /// - Returns: The removed element, or `nil`.
  /// - Complexity: O(1) expected, plus O(log *n*) for copying what an older version shares.
  @inlinable
  @inline(__always)
  @discardableResult
  package mutating func remove(_ key: Key) -> Element? {
    // Inlined, because a call would return the whole element. A caller that ignores the result only
    // needs to release what the element references.
    let vacated = vacate(key)
    guard let element = vacated.element else { return nil }
    let removed = element.move()
    if vacated.needsCleanUp { cleanUpAfterRemoval(of: vacated.slot) }
    checkInvariants()
    return removed
  }

  /// Removes the entry of the element with a key and marks its slot as dead. The caller then moves
  /// the element out of the slot.
  @inlinable
  @inline(never)
  mutating func vacate(_ key: Key) -> VacatedSlot<Element> {
    let tag = self.tag(of: key)
    let found = findEntry(of: key, tag: tag)
    let slot = found.slot
    if slot < 0 { return VacatedSlot(slot: slot, element: nil, needsCleanUp: false) }
    index.remove(tag, entry: found.entry)
    let page = ownedPage(of: slot) ?? uniquePage(of: slot)
    let position = slot & (Page.capacity &- 1)
    let live = page.live & ~(1 &<< UInt64(truncatingIfNeeded: position))
    page.mutableHeader.pointee = live
    liveCount &-= 1
    return VacatedSlot(
      slot: slot, element: page.mutableElements + position,
      needsCleanUp: live == 0 || isCompacting || needsCompactionAfterRemoval)
  }

  /// Releases the page of a vacated slot if it is empty, and compacts some of the table if many
  /// slots are dead.
  @inlinable
  @inline(never)
  mutating func cleanUpAfterRemoval(of slot: Int) {
    if liveCount == 0 {
      removeAll()
      return
    }
    dropPageIfEmpty(of: slot)
    compactAfterRemoval()
  }

  /// Removes every element.
  /// - Complexity: O(1) if an older version shares the elements, else O(*n*) for releasing them.
  @inlinable
  package mutating func removeAll() { self = Self() }

  /// Returns the slot of the element with a key, after inserting an element if there is none.
  /// Slots count up from 0 while nothing is removed.
  @inlinable
  package mutating func slot(of key: Key, inserting element: @autoclosure () -> Element) -> Int {
    let tag = self.tag(of: key)
    let found = findEntry(of: key, tag: tag)
    if found.slot >= 0 { return found.slot }
    append(element(), tag: tag, near: found.entry)
    return nextSlot &- 1
  }

  /// Changes the element in a live slot, but not its key.
  @inlinable
  package mutating func updateElement(at slot: Int, _ body: (inout Element) -> Void) {
    body(&uniquePointer(at: slot).pointee)
  }

  /// Stores a new element after all others.
  /// - Parameters:
  ///   - element: The element.
  ///   - tag: The tag of its key.
  ///   - entry: The position in the index that `findEntry` returned for the missing key.
  /// - Returns: The address of the stored element, valid until the next change.
  @inlinable
  @discardableResult
  mutating func append(
    _ element: consuming Element, tag: UInt32, near entry: Int
  ) -> UnsafePointer<Element> {
    compactBeforeInsertion()
    let page = ownedTailPage() ?? tailPage()
    let position = nextSlot & (Page.capacity &- 1)
    let target = page.mutableElements + position
    target.initialize(to: element)
    page.mutableHeader.pointee |= 1 &<< UInt64(truncatingIfNeeded: position)
    index.insert(tag, nextSlot, near: entry)
    nextSlot &+= 1
    liveCount &+= 1
    checkInvariants()
    return UnsafePointer(target)
  }

  /// Returns the page for the next new element, if it exists and is not shared.
  @inlinable
  @inline(__always)
  mutating func ownedTailPage() -> Page? {
    let pageShift = Page.shift
    // If the next slot is the first of its page, the page does not exist yet. The first page of the
    // table may have to grow.
    if nextSlot & (Page.capacity &- 1) == 0 || nextSlot < Page.capacity
      || !isKnownUniquelyReferenced(&root)
    {
      return nil
    }
    var node = top.unsafelyUnwrapped
    var shift = pageShift &+ TreeNode.shift &* height
    while true {
      guard let child = node.child(of: nextSlot, shift: shift), child.isUnique else { return nil }
      if shift == pageShift { return child.cast() }
      node = child.cast()
      shift &-= TreeNode.shift
    }
  }

  /// Returns the page for the next new element.
  /// - Parameter expected: The number of elements that will be inserted, at least 1.
  @inlinable
  @inline(never)
  mutating func tailPage(expecting expected: Int = 1) -> Page {
    if root == nil { setRoot(TreeNode.make()) }
    while nextSlot >= Page.capacity &<< (TreeNode.shift &* (height &+ 1)) {
      let higher = TreeNode.make()
      higher.mutableElements[0] = TreeNode(owning: root.unsafelyUnwrapped).cast()
      setRoot(higher)
      levels &+= 1
    }
    let word = uniquePageWord(nextSlot)
    return nextSlot < Page.capacity
      ? firstPage(word, expecting: expected) : Self.uniquePage(word)
  }

  /// Returns the first page, grown if it has no room for the next new element. A grown page has
  /// room for the expected number of elements, up to the capacity of a page.
  @inlinable
  @inline(never)
  mutating func firstPage(
    _ word: UnsafeMutablePointer<AnyNode?>, expecting expected: Int
  ) -> Page {
    if word.pointee != nil, nextSlot < 1 &<< Int(firstPageShift) { return Self.uniquePage(word) }
    var shift = Swift.min(2, Page.shift)
    let end = Swift.min(nextSlot &+ expected, Page.capacity)
    while end > 1 &<< shift { shift &+= 1 }
    let grown = Page.make(capacity: 1 &<< shift)
    if let page = word.pointee?.cast(to: Page.self) {
      page.moveElements(to: grown)
      page.release()
    }
    word.pointee = grown.cast()
    firstPageShift = UInt8(truncatingIfNeeded: shift)
    return grown
  }
}

/// The result of vacating the slot of a key.
@frozen
@usableFromInline
struct VacatedSlot<Element> {
  @usableFromInline let slot: Int
  /// The address of the element to be moved out; `nil` if there is no element with the key.
  @usableFromInline let element: UnsafeMutablePointer<Element>?
  /// Whether the page is empty or the table is to be compacted.
  @usableFromInline let needsCleanUp: Bool

  @inlinable
  @inline(__always)
  init(slot: Int, element: UnsafeMutablePointer<Element>?, needsCleanUp: Bool) {
    self.slot = slot
    self.element = element
    self.needsCleanUp = needsCleanUp
  }
}
