extension PersistentTable {
  /// Returns the slot of the element with a key, or -1.
  @inlinable
  @inline(__always)
  package func slot(of key: Key) -> Int { slot(of: key, tag: tag(of: key)) }

  @inlinable
  @inline(__always)
  func slot(of key: Key, tag: UInt32) -> Int { findEntry(of: key, tag: tag).slot }

  @inlinable
  @inline(__always)
  func findEntry(of key: Key, tag: UInt32) -> FoundEntry<Element> {
    Self.findEntry(of: key, tag: tag, index: index.word, top: top, height: height)
  }

  /// Returns the address of the element with a key, valid while the table is neither changed nor
  /// released.
  @inlinable
  @inline(__always)
  func pointer(to key: Key) -> UnsafePointer<Element>? {
    Self.pointer(to: key, seed: seed, index: index.word, top: top, height: height)
  }

  /// Returns the element with a key. The caller must keep the table in memory and unchanged during
  /// the call. The function loads single words of the table, because loading the whole table would
  /// retain its nodes.
  @inlinable
  @inline(__always)
  package static func element(_ key: Key, in table: UnsafePointer<Self>) -> Element? {
    address(of: key, in: table)?.pointee
  }

  /// Returns the address of the element with a key, valid while the table is neither changed nor
  /// released. The caller must keep the table in memory and unchanged during the call.
  @inlinable
  @inline(__always)
  package static func address(of key: Key, in table: UnsafePointer<Self>) -> UnsafePointer<Element>?
  {
    pointer(
      to: key, seed: table.pointee.seed, index: table.pointee.index.word, top: table.pointee.top,
      height: table.pointee.height)
  }

  @inlinable
  @inline(__always)
  static func pointer(
    to key: Key, seed: UInt64, index: IndexWord, top: TreeNode?, height: Int
  ) -> UnsafePointer<Element>? {
    let tag = SlotIndex.tag(key.tableHash(seed: seed))
    return findEntry(of: key, tag: tag, index: index, top: top, height: height).element
  }

  /// Looks up a key. The two usual cases need no loop:
  /// - The first entry with the tag in the home bucket belongs to the key.
  /// - The home bucket has room and no entry with the tag. The key is missing.
  @inlinable
  @inline(__always)
  static func findEntry(
    of key: Key, tag: UInt32, index: IndexWord, top: TreeNode?, height: Int
  ) -> FoundEntry<Element> {
    let word = SlotIndex.chunkWord(tag, below: index)
    if word.isNone { return FoundEntry(missingAt: 0) }
    let home = Chunk.home(tag, word.chunkMask)
    let bucket = IndexBucket(at: home, of: word.chunk.buckets)
    let candidates = bucket.candidates(IndexBucket.pattern(tag))
    if candidates != 0 {
      let place = IndexBucket.place(candidates)
      if bucket.rest(place) == IndexBucket.rest(ofTag: tag) {
        let slot = bucket.slot(place)
        let element = pointer(at: slot, top: top, height: height)
        if Layout.matches(element.pointee, key) {
          return FoundEntry(element, slot: slot, entry: home &<< 3 | place)
        }
      }
    } else if bucket.free != 0 {
      return FoundEntry(missingAt: home &<< 3)
    }
    return searchEntry(of: key, tag: tag, index: index, top: top, height: height)
  }

  /// Looks up a key in every bucket that may hold its entry. Skips the entry that `findEntry` has
  /// compared.
  // A function of its own, so that the usual case needs few registers.
  @inlinable
  @inline(never)
  static func searchEntry(
    of key: Key, tag: UInt32, index: IndexWord, top: TreeNode?, height: Int
  ) -> FoundEntry<Element> {
    let compared = SlotIndex.firstCandidate(tag, below: index)
    let (slot, entry) = SlotIndex.findEntry(tag, below: index) {
      $0 != compared
        && Layout.matches(pointer(at: $0, top: top, height: height).pointee, key)
    }
    if slot < 0 { return FoundEntry(missingAt: entry) }
    return FoundEntry(pointer(at: slot, top: top, height: height), slot: slot, entry: entry)
  }

  /// Returns the address of a live slot's element.
  @inlinable
  @inline(__always)
  func pointer(at slot: Int) -> UnsafePointer<Element> {
    Self.pointer(at: slot, top: top, height: height)
  }

  @inlinable
  @inline(__always)
  static func pointer(at slot: Int, top: TreeNode?, height: Int) -> UnsafePointer<Element> {
    page(of: slot, top: top, height: height).elements + (slot & (Page.capacity &- 1))
  }

  /// Returns the page of a live slot.
  @inlinable
  @inline(__always)
  static func page(of slot: Int, top: TreeNode?, height: Int) -> Page {
    let pageShift = Page.shift
    var node = top.unsafelyUnwrapped
    // Unrolled, with constant shifts, for the usual heights.
    var rest = height
    while rest > 3 {
      node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift &* rest)
      rest &-= 1
    }
    if rest > 2 { node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift &* 3) }
    if rest > 1 { node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift &* 2) }
    if rest > 0 { node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift) }
    return node.child(of: slot, shift: pageShift).unsafelyUnwrapped.cast()
  }

  /// Returns the word that holds the slot's page, in a node that only this table owns.
  @inlinable
  @inline(__always)
  mutating func uniquePageWord(_ slot: Int) -> UnsafeMutablePointer<AnyNode?> {
    var shift = Page.shift &+ TreeNode.shift &* height
    if !isKnownUniquelyReferenced(&root) {
      // Keeps the old root alive while its children are copied, even if other threads release it.
      let old = root
      let (copy, word) = Self.copyPath(top.unsafelyUnwrapped, shift: shift, slot: slot)
      setRoot(copy)
      withExtendedLifetime(old) {}
      return word
    }
    var node = top.unsafelyUnwrapped
    while shift != Page.shift {
      let word = node.word(of: slot, shift: shift)
      shift &-= TreeNode.shift
      guard let child = word.pointee else {
        node = TreeNode.make()
        word.pointee = node.cast()
        continue
      }
      if !child.isUnique {
        let (top, pageWord) = Self.copyPath(child.cast(), shift: shift, slot: slot)
        word.pointee = top.cast()
        child.release()
        return pageWord
      }
      node = child.cast()
    }
    return node.word(of: slot, shift: shift)
  }

  /// Copies a shared node and the path below it. Everything below a shared node is shared, too.
  @inlinable
  @inline(never)
  static func copyPath(
    _ node: TreeNode, shift topShift: Int, slot: Int
  ) -> (top: TreeNode, word: UnsafeMutablePointer<AnyNode?>) {
    var shift = topShift
    let pageShift = Page.shift
    func copy(_ node: TreeNode) -> TreeNode {
      // A copy of the lowest node shares its page. The caller decides whether to copy the page.
      node.copy(except: shift == pageShift ? -1 : TreeNode.index(of: slot, shift: shift))
    }
    let top = copy(node)
    var source: TreeNode? = node
    var target = top
    while shift != pageShift {
      let word = target.word(of: slot, shift: shift)
      let child = source?.child(of: slot, shift: shift)?.cast(to: TreeNode.self)
      shift &-= TreeNode.shift
      let copied = child.map(copy) ?? TreeNode.make()
      word.pointee = copied.cast()
      target = copied
      source = child
    }
    return (top, target.word(of: slot, shift: shift))
  }

  /// Returns the page of a word after making it unique; creates it if there is none.
  @inlinable
  @inline(__always)
  static func uniquePage(_ word: UnsafeMutablePointer<AnyNode?>) -> Page {
    guard let page = word.pointee?.cast(to: Page.self) else {
      let fresh = Page.make()
      word.pointee = fresh.cast()
      return fresh
    }
    if page.isUnique { return page }
    let copy = page.copy()
    word.pointee = copy.cast()
    page.release()
    return copy
  }

  /// Returns the address of a live slot's element for changing it.
  @inlinable
  @inline(__always)
  mutating func uniquePointer(at slot: Int) -> UnsafeMutablePointer<Element> {
    let page = Self.uniquePage(uniquePageWord(slot))
    return page.mutableElements + (slot & (Page.capacity &- 1))
  }

  /// Looks up the element with a key for changing it.
  /// - Returns: `slot` is the element's slot, or -1 if no element has the key. `owned` is the
  ///   element's address if its page is known to be unshared. If `owned` is `nil`, the caller must
  ///   use `replaceShared(at:by:)`.
  @inlinable
  @inline(__always)
  package mutating func locate(
    _ key: Key
  ) -> (slot: Int, owned: UnsafeMutablePointer<Element>?) {
    if !isKnownUniquelyReferenced(&root) { return (slot(of: key), nil) }
    let top = top
    let height = height
    var owned: UnsafeMutablePointer<Element>?
    let slot = index.find(tag(of: key)) {
      let (element, isOwned) = Self.pathToElement(at: $0, belowUnique: top, height: height)
      guard Layout.matches(element.pointee, key) else { return false }
      if isOwned { owned = UnsafeMutablePointer(mutating: element) }
      return true
    }
    assert(owned == nil || ownedPage(of: slot) != nil, "a shared page was found to be owned")
    return (slot, owned)
  }

  /// Returns the address of a live slot's element. If `isOwned` is `true`, no other version shares
  /// the element. The root `top` must be unique.
  // A node is unique if its word `counts` equals that of the unique root; see `NodeRef.counts`. The
  // comparisons need no conditional jumps, so that the cache misses of successive lookups overlap.
  @inlinable
  @inline(__always)
  static func pathToElement(
    at slot: Int, belowUnique top: TreeNode?, height: Int
  ) -> (element: UnsafePointer<Element>, isOwned: Bool) {
    let pageShift = Page.shift
    var node = top.unsafelyUnwrapped
    let counts = node.counts
    var differences: UInt = 0
    if height > 3 {
      (node, differences) = upperPath(to: slot, below: node, height: height)
    }
    if height > 2 {
      node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift &* 3)
      differences |= node.counts ^ counts
    }
    if height > 1 {
      node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift &* 2)
      differences |= node.counts ^ counts
    }
    if height > 0 {
      node = node.inner(of: slot, shift: pageShift &+ TreeNode.shift)
      differences |= node.counts ^ counts
    }
    let page = node.child(of: slot, shift: pageShift).unsafelyUnwrapped.cast(to: Page.self)
    differences |= page.counts ^ counts
    return (page.elements + (slot & (Page.capacity &- 1)), differences == 0)
  }

  /// Returns the node at level 3 of the path to a slot. `differences` is 0 if every node on the
  /// path, down to the returned node, has the same word `counts` as `top`.
  @inlinable
  @inline(never)
  static func upperPath(
    to slot: Int, below top: TreeNode, height: Int
  ) -> (node: TreeNode, differences: UInt) {
    var node = top
    var differences: UInt = 0
    for level in stride(from: height, to: 3, by: -1) {
      node = node.inner(of: slot, shift: Page.shift &+ TreeNode.shift &* level)
      differences |= node.counts ^ top.counts
    }
    return (node, differences)
  }

  /// Returns the page of a live slot if this table alone has the page, and `nil` otherwise.
  @inlinable
  @inline(__always)
  mutating func ownedPage(of slot: Int) -> Page? {
    if !isKnownUniquelyReferenced(&root) { return nil }
    let pageShift = Page.shift
    var node = top.unsafelyUnwrapped
    var shift = pageShift &+ TreeNode.shift &* height
    while true {
      node = node.inner(of: slot, shift: shift)
      if !node.isUnique { return nil }
      if shift == pageShift { break }
      shift &-= TreeNode.shift
    }
    return node.cast()
  }

  /// Returns the page of a live slot after making it unique.
  @inlinable
  @inline(never)
  mutating func uniquePage(of slot: Int) -> Page { Self.uniquePage(uniquePageWord(slot)) }

  /// Returns the element in a live slot.
  @inlinable
  @inline(__always)
  package func element(at slot: Int) -> Element { pointer(at: slot).pointee }

  /// Replaces the element in a live slot that another version may share.
  @inlinable
  @inline(never)
  package mutating func replaceShared(at slot: Int, by element: Element) {
    uniquePointer(at: slot).pointee = element
  }
}

/// The result of looking up a key in a table.
@frozen
@usableFromInline
struct FoundEntry<Element> {
  /// The address of the element with the key, or `nil`.
  @usableFromInline let element: UnsafePointer<Element>?
  /// The slot of the element, or -1.
  @usableFromInline let slot: Int
  /// The position of the key's entry in its chunk of the index, as returned by
  /// `SlotIndex.findEntry`. If the key has no entry, the position is in a bucket with room for a
  /// new entry.
  @usableFromInline let entry: Int

  @inlinable
  @inline(__always)
  init(_ element: UnsafePointer<Element>, slot: Int, entry: Int) {
    self.element = element
    self.slot = slot
    self.entry = entry
  }

  /// Creates the result for a key that no element has.
  @inlinable
  @inline(__always)
  init(missingAt entry: Int) {
    element = nil
    slot = -1
    self.entry = entry
  }
}
