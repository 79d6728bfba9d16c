extension PersistentTable {
  /// Returns the slot of the element with a key, or -1.
  @inlinable
  @inline(__always)
  package func slot(of key: Key) -> Int { slot(of: key, tag: tag(of: key)) }

  @inlinable
  @inline(__always)
  func slot(of key: Key, tag: UInt32) -> Int {
    index.find(tag) { Layout.matches(pointer(at: $0).pointee, key) }
  }

  /// Returns the address of the element with a key, valid while the table is neither changed nor
  /// released.
  @inlinable
  @inline(__always)
  func pointer(to key: Key) -> UnsafeMutablePointer<Element>? {
    Self.pointer(to: key, seed: seed, index: index.word, top: top, height: height)
  }

  /// Returns the element with a key of a table in memory that the caller keeps unchanged. Only
  /// plain words are read, because loading the table from memory would retain it.
  @inlinable
  @inline(__always)
  package static func element(_ key: Key, in table: UnsafePointer<Self>) -> Element? {
    address(of: key, in: table)?.pointee
  }

  /// Returns the address of the element with a key of a table in memory that the caller keeps
  /// unchanged. The address is valid while the table is neither changed nor released.
  @inlinable
  @inline(__always)
  package static func address(of key: Key, in table: UnsafePointer<Self>) -> UnsafePointer<Element>?
  {
    pointer(
      to: key, seed: table.pointee.seed, index: table.pointee.index.word, top: table.pointee.top,
      height: table.pointee.height
    ).map { UnsafePointer($0) }
  }

  @inlinable
  @inline(__always)
  static func pointer(
    to key: Key, seed: UInt64, index: UInt64, top: NodePointer?, height: Int
  ) -> UnsafeMutablePointer<Element>? {
    var result: UnsafeMutablePointer<Element>?
    let (slot, _) = SlotIndex.findEntry(SlotIndex.tag(key.tableHash(seed: seed)), below: index) {
      let candidate = pointer(at: $0, top: top, height: height)
      guard Layout.matches(candidate.pointee, key) else { return false }
      result = candidate
      return true
    }
    return slot < 0 ? nil : result
  }

  /// Returns the address of a live slot's element.
  @inlinable
  @inline(__always)
  func pointer(at slot: Int) -> UnsafeMutablePointer<Element> {
    Self.pointer(at: slot, top: top, height: height)
  }

  @inlinable
  @inline(__always)
  static func pointer(
    at slot: Int, top: NodePointer?, height: Int
  ) -> UnsafeMutablePointer<Element> {
    let pageShift = Pages<Element>.shift
    var node = top.unsafelyUnwrapped
    // Unrolled, with constant shifts, for the usual heights.
    var rest = height
    while rest > 3 {
      node = Spines.child(of: node, slot, shift: pageShift &+ Spines.shift &* rest)
      rest &-= 1
    }
    if rest > 2 { node = Spines.child(of: node, slot, shift: pageShift &+ Spines.shift &* 3) }
    if rest > 1 { node = Spines.child(of: node, slot, shift: pageShift &+ Spines.shift &* 2) }
    if rest > 0 { node = Spines.child(of: node, slot, shift: pageShift &+ Spines.shift) }
    let page = Spines.child(of: node, slot, shift: pageShift)
    return Pages<Element>.elements(page) + (slot & (Pages<Element>.capacity &- 1))
  }

  /// Returns the word that holds the slot's page, in a node that only this table owns.
  @inlinable
  @inline(__always)
  mutating func uniquePageWord(_ slot: Int) -> UnsafeMutablePointer<NodePointer?> {
    var shift = Pages<Element>.shift &+ Spines.shift &* height
    if !isKnownUniquelyReferenced(&root) {
      // Keeps the old root alive while its children are copied, even if other threads release it.
      let old = root
      let (copy, word) = Self.copyPath(top.unsafelyUnwrapped, shift: shift, slot: slot)
      setRoot(copy)
      withExtendedLifetime(old) {}
      return word
    }
    var node = top.unsafelyUnwrapped
    while shift != Pages<Element>.shift {
      let word = Spines.children(node) + Spines.child(of: slot, shift: shift)
      shift &-= Spines.shift
      guard let child = word.pointee else {
        node = Spines.make()
        word.pointee = node
        continue
      }
      if !isUniqueNode(child) {
        let (top, pageWord) = Self.copyPath(child, shift: shift, slot: slot)
        word.pointee = top
        releaseNode(child)
        return pageWord
      }
      node = child
    }
    return Spines.children(node) + Spines.child(of: slot, shift: shift)
  }

  /// Copies a shared node and the path below it. Everything below a shared node is shared, too.
  @inlinable
  @inline(never)
  static func copyPath(
    _ node: NodePointer, shift topShift: Int, slot: Int
  ) -> (top: NodePointer, word: UnsafeMutablePointer<NodePointer?>) {
    var shift = topShift
    let pageShift = Pages<Element>.shift
    func copy(_ node: NodePointer) -> NodePointer {
      // The copy keeps the page. The caller decides whether to copy it.
      Spines.copy(node, except: shift == pageShift ? -1 : Spines.child(of: slot, shift: shift))
    }
    let top = copy(node)
    var source: NodePointer? = node
    var target = top
    while shift != pageShift {
      let index = Spines.child(of: slot, shift: shift)
      let child = source.flatMap { Spines.children($0)[index] }
      shift &-= Spines.shift
      let copied = child.map(copy) ?? Spines.make()
      Spines.children(target)[index] = copied
      target = copied
      source = child
    }
    return (top, Spines.children(target) + Spines.child(of: slot, shift: shift))
  }

  /// Returns the page of a word after making it unique; creates it if there is none.
  @inlinable
  @inline(__always)
  static func uniquePage(_ word: UnsafeMutablePointer<NodePointer?>) -> NodePointer {
    guard let page = word.pointee else {
      let fresh = Pages<Element>.make()
      word.pointee = fresh
      return fresh
    }
    if isUniqueNode(page) { return page }
    let copy = Pages<Element>.copy(page)
    word.pointee = copy
    releaseNode(page)
    return copy
  }

  /// Returns the address of a live slot's element for changing it.
  @inlinable
  @inline(__always)
  mutating func uniquePointer(at slot: Int) -> UnsafeMutablePointer<Element> {
    let page = Self.uniquePage(uniquePageWord(slot))
    return Pages<Element>.elements(page) + (slot & (Pages<Element>.capacity &- 1))
  }

  /// Returns the page for the next new element, if it exists and is not shared.
  @inlinable
  @inline(__always)
  mutating func ownedTailPage() -> NodePointer? {
    let pageShift = Pages<Element>.shift
    // The page of a first slot does not exist yet, and the first page may have to grow.
    if nextSlot & (Pages<Element>.capacity &- 1) == 0 || nextSlot < Pages<Element>.capacity
      || !isKnownUniquelyReferenced(&root)
    {
      return nil
    }
    var node = top.unsafelyUnwrapped
    var shift = pageShift &+ Spines.shift &* height
    while true {
      guard let child = Spines.children(node)[Spines.child(of: nextSlot, shift: shift)],
        isUniqueNode(child)
      else { return nil }
      if shift == pageShift { return child }
      node = child
      shift &-= Spines.shift
    }
  }

  /// Returns the page for the next new element.
  @inlinable
  @inline(never)
  mutating func tailPage() -> NodePointer {
    if root == nil { setRoot(Spines.make()) }
    while nextSlot >= Pages<Element>.capacity &<< (Spines.shift &* (height &+ 1)) {
      let higher = Spines.make()
      Spines.children(higher)[0] = owned(root.unsafelyUnwrapped)
      setRoot(higher)
      levels &+= 1
    }
    let word = uniquePageWord(nextSlot)
    return nextSlot < Pages<Element>.capacity ? firstPage(word) : Self.uniquePage(word)
  }

  /// Returns the first page, grown if it has no room for the next new element.
  @inlinable
  @inline(never)
  mutating func firstPage(_ word: UnsafeMutablePointer<NodePointer?>) -> NodePointer {
    if word.pointee != nil, nextSlot < 1 &<< Int(firstPageShift) { return Self.uniquePage(word) }
    var shift = Swift.min(2, Pages<Element>.shift)
    while nextSlot >= 1 &<< shift { shift &+= 1 }
    let grown = Pages<Element>.make(capacity: 1 &<< shift)
    if let page = word.pointee {
      Pages<Element>.move(from: page, to: grown)
      releaseNode(page)
    }
    word.pointee = grown
    firstPageShift = UInt8(truncatingIfNeeded: shift)
    return grown
  }

  /// Returns the address of a live slot's element for changing it, if it is not shared.
  @inlinable
  @inline(__always)
  package mutating func ownedPointer(at slot: Int) -> UnsafeMutablePointer<Element>? {
    if !isKnownUniquelyReferenced(&root) { return nil }
    let pageShift = Pages<Element>.shift
    var node = top.unsafelyUnwrapped
    var shift = pageShift &+ Spines.shift &* height
    while true {
      node = Spines.child(of: node, slot, shift: shift)
      if !isUniqueNode(node) { return nil }
      if shift == pageShift { break }
      shift &-= Spines.shift
    }
    return Pages<Element>.elements(node) + (slot & (Pages<Element>.capacity &- 1))
  }

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
