/// Nodes in a persistent radix tree, each with a number that does not change.
///
/// Other nodes refer to a node by its number, so that the references stay valid if a copy replaces
/// the node. The first node is stored as `root` itself. When a second node is added, an inner node
/// becomes the root.
///
/// The freed numbers form a linked list. When a node is freed, its word in the tree stores the
/// previously freed number instead of the node's address. The number that was freed last is reused
/// first.
@frozen
@usableFromInline
struct NodeArena<Kind: CopyableNodeKind> {
  @usableFromInline typealias Inner = NodeRef<RadixNode>

  @usableFromInline var root: AnyObject?
  /// `limit` and `height` in one word, so that an empty table is small. The lowest four bits are
  /// `height`.
  @usableFromInline var limitAndHeight: UInt32
  /// The free number below the limit that is reused next, or -1.
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

  /// Takes ownership of a reference to a new root.
  @inlinable
  @inline(__always)
  mutating func setRoot(_ node: AnyNode) { root = node.takeObject() }

  @inlinable
  @inline(__always)
  var rootNode: AnyNode { AnyNode(borrowing: root.unsafelyUnwrapped) }

  /// The node with a number, which must be in use.
  @inlinable
  @inline(__always)
  subscript(number: Int) -> NodeRef<Kind> {
    Self.node(number, below: rootNode, height: height)
  }

  /// Returns the node with a number, which must be in use, in the tree below a root.
  @inlinable
  @inline(__always)
  static func node(_ number: Int, below root: AnyNode, height: UInt8) -> NodeRef<Kind> {
    var node = root
    var shift = Inner.shift &* Int(height)
    while shift != 0 {
      shift &-= Inner.shift
      node = node.cast(to: Inner.self).child(of: number, shift: shift).unsafelyUnwrapped
    }
    return node.cast()
  }

  /// Returns the node with a number, after making the node and the path to it unique. The
  /// number must be in use.
  @inlinable
  @inline(__always)
  mutating func unique(_ number: Int) -> NodeRef<Kind> {
    var shift = Inner.shift &* Int(height)
    if !isKnownUniquelyReferenced(&root) { return copyRoot(number, shift: shift) }
    var node = rootNode
    while shift != 0 {
      shift &-= Inner.shift
      let word = node.cast(to: Inner.self).word(of: number, shift: shift)
      let child = word.pointee.unsafelyUnwrapped
      if !child.isUnique { return Self.copyPath(in: word, number, shift: shift) }
      node = child
    }
    return node.cast()
  }

  @inlinable
  @inline(never)
  mutating func copyRoot(_ number: Int, shift: Int) -> NodeRef<Kind> {
    var word: AnyNode? = AnyNode(owning: root.unsafelyUnwrapped)
    let node = Self.copyPath(in: &word, number, shift: shift)
    setRoot(word.unsafelyUnwrapped)
    return node
  }

  /// Replaces a shared node and the path below it with copies. Everything below a shared node is
  /// shared, too.
  @inlinable
  @inline(never)
  static func copyPath(
    in word: UnsafeMutablePointer<AnyNode?>, _ number: Int, shift topShift: Int
  ) -> NodeRef<Kind> {
    let top = word.pointee.unsafelyUnwrapped
    var source = top
    var target = word
    var shift = topShift
    while shift != 0 {
      shift &-= Inner.shift
      let inner = source.cast(to: Inner.self)
      let copy = inner.copy(except: Inner.index(of: number, shift: shift))
      target.pointee = copy.cast()
      target = copy.word(of: number, shift: shift)
      source = inner.child(of: number, shift: shift).unsafelyUnwrapped
    }
    let copy = source.cast(to: NodeRef<Kind>.self).copy()
    target.pointee = copy.cast()
    top.release()
    return copy
  }

  /// Takes ownership of a node and returns its number.
  @inlinable
  mutating func place(_ node: NodeRef<Kind>) -> Int {
    if free >= 0 {
      let number = Int(free)
      let word = uniqueWord(number)
      free = Self.free(in: word.pointee)
      word.pointee = node.cast()
      return number
    }
    let number = Int(limit)
    limit &+= 1
    if root == nil {
      setRoot(node.cast())
      return number
    }
    if number == 1 &<< (Inner.shift &* Int(height)) {
      let top = Inner.make()
      top.mutableElements[0] = AnyNode(owning: root.unsafelyUnwrapped)
      setRoot(top.cast())
      height &+= 1
    }
    uniqueWord(number).pointee = node.cast()
    return number
  }

  /// Releases a node and frees its number. The tree must have inner nodes.
  @inlinable
  mutating func remove(_ number: Int) {
    let word = uniqueWord(number)
    word.pointee.unsafelyUnwrapped.release()
    word.pointee = Self.word(free: free)
    free = Int32(truncatingIfNeeded: number)
  }

  /// Returns a word that holds a free number, or -1, instead of the address of a node.
  @inlinable
  static func word(free number: Int32) -> AnyNode? {
    UnsafeMutableRawPointer(bitPattern: UInt(truncatingIfNeeded: number &+ 1) &<< 1 | 1)
      .map { AnyNode(address: $0) }
  }

  /// Returns the number that `word(free:)` stored in a word: a free number, or -1.
  @inlinable
  static func free(in word: AnyNode?) -> Int32 {
    Int32(truncatingIfNeeded: UInt(bitPattern: word.unsafelyUnwrapped.address) &>> 1) &- 1
  }

  /// Returns the word of a number, after making the path to it unique. The tree must have inner
  /// nodes.
  @inlinable
  mutating func uniqueWord(_ number: Int) -> UnsafeMutablePointer<AnyNode?> {
    var shift = Inner.shift &* (Int(height) &- 1)
    if !isKnownUniquelyReferenced(&root) {
      setRoot(rootNode.cast(to: Inner.self).copy(except: -1).cast())
    }
    var node = rootNode.cast(to: Inner.self)
    while shift != 0 {
      let word = node.word(of: number, shift: shift)
      shift &-= Inner.shift
      if let child = word.pointee {
        if !child.isUnique {
          word.pointee = child.cast(to: Inner.self).copy(except: -1).cast()
          child.release()
        }
      } else {
        word.pointee = Inner.make().cast()
      }
      node = word.pointee.unsafelyUnwrapped.cast()
    }
    return node.word(of: number, shift: 0)
  }

  /// Returns an arena in which the result of a closure replaces each node. The numbers and the free
  /// numbers do not change.
  /// - Parameter transform: Returns the replacement of a node. The new arena takes ownership of one
  ///   reference to the replacement.
  /// - Complexity: O(*n*).
  @inlinable
  func map<Other>(_ transform: (NodeRef<Kind>) -> NodeRef<Other>) -> NodeArena<Other> {
    var result = NodeArena<Other>()
    result.limitAndHeight = limitAndHeight
    result.free = free
    guard let root else { return result }
    result.setRoot(Self.map(rootNode, height: Int(height), transform))
    withExtendedLifetime(root) {}
    return result
  }

  @inlinable
  static func map<Other>(
    _ node: AnyNode, height: Int, _ transform: (NodeRef<Kind>) -> NodeRef<Other>
  ) -> AnyNode {
    if height == 0 { return transform(node.cast()).cast() }
    let result = Inner.make()
    let words = node.cast(to: Inner.self).elements
    for index in 0..<Inner.fanOut {
      let child = Inner.node(ifAny: words[index])
      result.mutableElements[index] =
        child.map { map($0, height: height &- 1, transform) } ?? words[index]
    }
    return result.cast()
  }
}

/// A number whose node differs between two versions. It consists of plain words, so that collecting
/// differences retains nothing.
@frozen
@usableFromInline
struct NodeDifference<Kind> {
  @usableFromInline let number: Int
  /// The older version's node, or `nil` if the number was free.
  @usableFromInline let old: NodeRef<Kind>?
  /// The newer version's node, or `nil` if the number is free.
  @usableFromInline let new: NodeRef<Kind>?

  @inlinable
  init(number: Int, old: NodeRef<Kind>?, new: NodeRef<Kind>?) {
    self.number = number
    self.old = old
    self.new = new
  }
}

extension NodeArena {
  /// Returns the numbers whose nodes differ between two versions. Shared subtrees are skipped.
  @inlinable
  func differences(from old: Self) -> [NodeDifference<Kind>] {
    var result: [NodeDifference<Kind>] = []
    Self.compare(
      old.root.map(AnyNode.init(borrowing:)), Int(old.height), root.map(AnyNode.init(borrowing:)),
      Int(height), 0, &result)
    return result
  }

  // No closures here, because a closure that captures a version would be retained at every step.
  @inlinable
  static func compare(
    _ a: AnyNode?, _ aHeight: Int, _ b: AnyNode?, _ bHeight: Int, _ first: Int,
    _ result: inout [NodeDifference<Kind>]
  ) {
    if a == b && aHeight == bHeight { return }
    TableWork.note(.nodeVisited)
    let height = Swift.max(a == nil ? 0 : aHeight, b == nil ? 0 : bHeight)
    if height == 0 {
      result.append(NodeDifference(number: first, old: a?.cast(), new: b?.cast()))
      return
    }
    let size = 1 &<< (Inner.shift &* (height &- 1))
    for index in 0..<Inner.fanOut {
      // A tree that is lower than the other is compared with the first child of the other.
      let x = child(of: a, aHeight, at: index, height)
      let y = child(of: b, bHeight, at: index, height)
      if x == nil && y == nil { continue }
      compare(
        x, Swift.min(aHeight, height &- 1), y, Swift.min(bHeight, height &- 1),
        first &+ index &* size, &result)
    }
  }

  @inlinable
  @inline(__always)
  static func child(
    of node: AnyNode?, _ nodeHeight: Int, at index: Int, _ height: Int
  ) -> AnyNode? {
    guard let node else { return nil }
    if nodeHeight < height { return index == 0 ? node : nil }
    return Inner.node(ifAny: node.cast(to: Inner.self).elements[index])
  }
}
