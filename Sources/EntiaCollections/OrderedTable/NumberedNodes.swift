/// The copy operation for nodes of one kind.
@usableFromInline
protocol NumberedContent {
  /// Returns the address of a copy, with one reference.
  static func copy(_ node: NodePointer) -> NodePointer
}

/// Nodes under numbers that never change, in a persistent radix tree.
///
/// A reference by number stays valid when the node is copied. A single node is the root of the tree
/// itself. The word of a freed number holds the next free number. The number that was freed last is
/// reused first.
@frozen
@usableFromInline
struct NumberedNodes<Content: NumberedContent> {
  @usableFromInline var root: AnyObject?
  /// The limit above four bits of height. Both share a word, so that an empty table stays small.
  @usableFromInline var limitAndHeight: UInt32
  /// The first free number below the limit, or -1.
  @usableFromInline var free: Int32

  @inlinable
  init() {
    root = nil
    limitAndHeight = 0
    free = -1
  }

  /// The lowest number that was never assigned.
  @inlinable
  @inline(__always)
  var limit: Int32 {
    get { Int32(truncatingIfNeeded: limitAndHeight &>> 4) }
    set { limitAndHeight = UInt32(truncatingIfNeeded: newValue) &<< 4 | limitAndHeight & 15 }
  }

  /// The number of levels of the tree above the nodes.
  @inlinable
  @inline(__always)
  var height: UInt8 {
    get { UInt8(truncatingIfNeeded: limitAndHeight & 15) }
    set { limitAndHeight = limitAndHeight & ~15 | UInt32(newValue) }
  }

  /// The node with a number, which must be in use.
  @inlinable
  @inline(__always)
  subscript(number: Int) -> NodePointer {
    var node = borrowed(root.unsafelyUnwrapped)
    var shift = NumberedShelves.shift &* Int(height)
    while shift != 0 {
      shift &-= NumberedShelves.shift
      node = NumberedShelves.node(
        NumberedShelves.words(node)[NumberedShelves.index(of: number, shift: shift)])
    }
    return node
  }

  /// Returns the node with a number, which must be in use, after making it and its path unique.
  @inlinable
  @inline(__always)
  mutating func unique(_ number: Int) -> NodePointer {
    var shift = NumberedShelves.shift &* Int(height)
    if !isKnownUniquelyReferenced(&root) { return copyRoot(number, shift: shift) }
    var node = borrowed(root.unsafelyUnwrapped)
    while shift != 0 {
      shift &-= NumberedShelves.shift
      let word = NumberedShelves.words(node) + NumberedShelves.index(of: number, shift: shift)
      let child = NumberedShelves.node(word.pointee)
      if !isUniqueNode(child) { return Self.copyPath(in: word, number, shift: shift) }
      node = child
    }
    return node
  }

  @inlinable
  @inline(never)
  mutating func copyRoot(_ number: Int, shift: Int) -> NodePointer {
    let old = root.unsafelyUnwrapped
    var word = UInt(bitPattern: owned(old))
    let node = Self.copyPath(in: &word, number, shift: shift)
    root = Unmanaged<AnyObject>.fromOpaque(NumberedShelves.node(word)).takeRetainedValue()
    return node
  }

  /// Replaces a shared node and the path below it with copies. Everything below a shared node is
  /// shared, too.
  @inlinable
  @inline(never)
  static func copyPath(
    in word: UnsafeMutablePointer<UInt>, _ number: Int, shift topShift: Int
  ) -> NodePointer {
    let top = NumberedShelves.node(word.pointee)
    var source = top
    var target = word
    var shift = topShift
    while shift != 0 {
      shift &-= NumberedShelves.shift
      let index = NumberedShelves.index(of: number, shift: shift)
      let copy = NumberedShelves.copy(source, except: index)
      target.pointee = UInt(bitPattern: copy)
      target = NumberedShelves.words(copy) + index
      source = NumberedShelves.node(NumberedShelves.words(source)[index])
    }
    let copy = Content.copy(source)
    target.pointee = UInt(bitPattern: copy)
    releaseNode(top)
    return copy
  }

  /// Takes ownership of a node and returns its number.
  @inlinable
  mutating func place(_ node: NodePointer) -> Int {
    if free >= 0 {
      let number = Int(free)
      let word = uniqueWord(number)
      free = Int32(truncatingIfNeeded: word.pointee &>> 1) &- 1
      word.pointee = UInt(bitPattern: node)
      return number
    }
    let number = Int(limit)
    limit &+= 1
    if root == nil {
      root = Unmanaged<AnyObject>.fromOpaque(node).takeRetainedValue()
      return number
    }
    if number == 1 &<< (NumberedShelves.shift &* Int(height)) {
      let top = NumberedShelves.make()
      NumberedShelves.words(top)[0] = UInt(bitPattern: owned(root.unsafelyUnwrapped))
      root = Unmanaged<AnyObject>.fromOpaque(top).takeRetainedValue()
      height &+= 1
    }
    uniqueWord(number).pointee = UInt(bitPattern: node)
    return number
  }

  /// Releases a node and frees its number. There must be another node.
  @inlinable
  mutating func remove(_ number: Int) {
    let word = uniqueWord(number)
    releaseNode(NumberedShelves.node(word.pointee))
    word.pointee = UInt(truncatingIfNeeded: free &+ 1) &<< 1 | 1
    free = Int32(truncatingIfNeeded: number)
  }

  /// Returns the word of a number in a tree of more than one node, after making the path to it
  /// unique.
  @inlinable
  mutating func uniqueWord(_ number: Int) -> UnsafeMutablePointer<UInt> {
    var shift = NumberedShelves.shift &* (Int(height) &- 1)
    if !isKnownUniquelyReferenced(&root) {
      let copy = NumberedShelves.copy(borrowed(root.unsafelyUnwrapped), except: -1)
      root = Unmanaged<AnyObject>.fromOpaque(copy).takeRetainedValue()
    }
    var node = borrowed(root.unsafelyUnwrapped)
    while shift != 0 {
      let word = NumberedShelves.words(node) + NumberedShelves.index(of: number, shift: shift)
      shift &-= NumberedShelves.shift
      if word.pointee == 0 {
        word.pointee = UInt(bitPattern: NumberedShelves.make())
      } else if !isUniqueNode(NumberedShelves.node(word.pointee)) {
        let shared = NumberedShelves.node(word.pointee)
        word.pointee = UInt(bitPattern: NumberedShelves.copy(shared, except: -1))
        releaseNode(shared)
      }
      node = NumberedShelves.node(word.pointee)
    }
    return NumberedShelves.words(node) + NumberedShelves.index(of: number, shift: 0)
  }

  /// Returns a tree with other nodes under the same numbers, and with the same free numbers.
  /// - Parameter transform: Returns the address of the new node for a node, with one reference.
  /// - Complexity: O(*n*).
  @inlinable
  func map<Other>(_ transform: (NodePointer) -> NodePointer) -> NumberedNodes<Other> {
    var result = NumberedNodes<Other>()
    result.limitAndHeight = limitAndHeight
    result.free = free
    guard let root else { return result }
    let node = Self.map(borrowed(root), height: Int(height), transform)
    result.root = Unmanaged<AnyObject>.fromOpaque(node).takeRetainedValue()
    withExtendedLifetime(root) {}
    return result
  }

  @inlinable
  static func map(
    _ node: NodePointer, height: Int, _ transform: (NodePointer) -> NodePointer
  ) -> NodePointer {
    if height == 0 { return transform(node) }
    let result = NumberedShelves.make()
    let words = NumberedShelves.words(node)
    for index in 0..<NumberedShelves.fanOut {
      let word = words[index]
      let isNode = word != 0 && word & 1 == 0
      NumberedShelves.words(result)[index] =
        isNode
        ? UInt(bitPattern: map(NumberedShelves.node(word), height: height &- 1, transform)) : word
    }
    return result
  }
}
