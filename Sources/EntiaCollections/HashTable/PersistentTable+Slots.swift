extension PersistentTable {
  /// The slot of the element with a key, or -1.
  @inlinable
  @inline(__always)
  package func slot(of key: Key) -> Int { slot(of: key, tag: SlotIndex.tag(key.tableHash)) }

  @inlinable
  @inline(__always)
  func slot(of key: Key, tag: UInt32) -> Int {
    index.find(tag) { Layout.matches(pointer(at: $0).pointee, key) }
  }

  /// The address of the element with a key, valid while the table is neither changed nor released.
  @inlinable
  @inline(__always)
  func pointer(to key: Key) -> UnsafeMutablePointer<Element>? {
    Self.pointer(to: key, index: index.word, top: top, height: height)
  }

  /// The element with a key of a table that lies in memory which somebody else keeps as it is. Reads
  /// words alone: a table loaded from memory would be retained for it.
  @inlinable
  @inline(__always)
  package static func element(_ key: Key, in table: UnsafePointer<Self>) -> Element? {
    address(of: key, in: table)?.pointee
  }

  /// The address of the element with a key, likewise, while the table is neither changed nor released.
  @inlinable
  @inline(__always)
  package static func address(of key: Key, in table: UnsafePointer<Self>) -> UnsafePointer<Element>?
  {
    pointer(
      to: key, index: table.pointee.index.word, top: table.pointee.top,
      height: table.pointee.height
    ).map { UnsafePointer($0) }
  }

  @inlinable
  @inline(__always)
  static func pointer(
    to key: Key, index: UInt64, top: NodePointer?, height: Int
  ) -> UnsafeMutablePointer<Element>? {
    var result: UnsafeMutablePointer<Element>?
    let (slot, _) = SlotIndex.findEntry(SlotIndex.tag(key.tableHash), below: index) {
      let candidate = pointer(at: $0, top: top, height: height)
      guard Layout.matches(candidate.pointee, key) else { return false }
      result = candidate
      return true
    }
    return slot < 0 ? nil : result
  }

  /// The address of a live slot's element.
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
    // Steps written out, with constant shifts, for the heights that tables have.
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

  /// The word that holds the slot's page, in a node that this table alone owns.
  @inlinable
  @inline(__always)
  mutating func uniquePageWord(_ slot: Int) -> UnsafeMutablePointer<NodePointer?> {
    var shift = Pages<Element>.shift &+ Spines.shift &* height
    if !isKnownUniquelyReferenced(&root) {
      // The old root must outlive the copying of its children, whatever other threads let go.
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

  /// Copies the path below and with a shared node: everything under a shared node is shared too.
  @inlinable
  @inline(never)
  static func copyPath(
    _ node: NodePointer, shift topShift: Int, slot: Int
  ) -> (top: NodePointer, word: UnsafeMutablePointer<NodePointer?>) {
    var shift = topShift
    let pageShift = Pages<Element>.shift
    func copy(_ node: NodePointer) -> NodePointer {
      // The page is kept: whether it is copied is for the caller to decide.
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

  /// Makes the page behind a word unique, creating it when there is none.
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

  /// The address of a live slot's element for changing it.
  @inlinable
  @inline(__always)
  mutating func uniquePointer(at slot: Int) -> UnsafeMutablePointer<Element> {
    let page = Self.uniquePage(uniquePageWord(slot))
    return Pages<Element>.elements(page) + (slot & (Pages<Element>.capacity &- 1))
  }

  /// The page that the next new element goes to, if it is there and nothing shares it.
  @inlinable
  @inline(__always)
  mutating func ownedTailPage() -> NodePointer? {
    let pageShift = Pages<Element>.shift
    // The first slot of a page has none yet, and the first page may have to grow.
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

  /// The page that the next new element goes to.
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

  /// The first page, grown when it has no room for the next new element.
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

  /// The address of a live slot's element for changing it, if nothing shares it.
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

  /// The element in a live slot.
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
