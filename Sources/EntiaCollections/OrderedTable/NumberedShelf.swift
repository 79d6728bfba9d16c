/// A node of the radix tree from numbers to nodes. A word is the address of a node, 0, or the next
/// free number with the lowest bit set.
@usableFromInline
final class NumberedShelf: ManagedBuffer<Void, UInt> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { words in
      for index in 0..<NumberedShelves.fanOut {
        let word = words[index]
        if word != 0, word & 1 == 0 { releaseNode(NumberedShelves.node(word)) }
      }
    }
  }
}

/// The operations on shelves.
@usableFromInline
enum NumberedShelves {
  /// Log2 of the number of words. Wider shelves make reads faster, narrower ones copies.
  @inlinable
  @inline(__always)
  static var shift: Int { 4 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  @inlinable
  @inline(__always)
  static func index(of number: Int, shift: Int) -> Int { (number &>> shift) & (fanOut &- 1) }

  /// Returns the node to which a word refers.
  @inlinable
  @inline(__always)
  static func node(_ word: UInt) -> NodePointer {
    NodePointer(bitPattern: word).unsafelyUnwrapped
  }

  @inlinable
  @inline(__always)
  static func words(_ shelf: NodePointer) -> UnsafeMutablePointer<UInt> {
    Unmanaged<NumberedShelf>.fromOpaque(shelf)._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointerToElements { $0 }
    }
  }

  @inlinable
  @inline(never)
  static func make() -> NodePointer {
    let shelf = owned(
      unsafeDowncast(
        NumberedShelf.create(minimumCapacity: fanOut) { _ in }, to: NumberedShelf.self))
    words(shelf).initialize(repeating: 0, count: fanOut)
    return shelf
  }

  /// Copies a shelf without the node that the caller replaces next (-1: with all nodes).
  @inlinable
  @inline(never)
  static func copy(_ shelf: NodePointer, except skipped: Int) -> NodePointer {
    TableWork.note(.nodeCopied)
    let result = make()
    let source = words(shelf)
    let target = words(result)
    // Retaining a node that is not cached delays the next retain. Loading the words next to all
    // reference counts first lets the processor fetch them in parallel.
    var seen: UInt = 0
    for index in 0..<fanOut where index != skipped {
      let word = source[index]
      target[index] = word
      if word != 0, word & 1 == 0 { seen |= node(word).load(as: UInt.self) }
    }
    if seen == 0 { return result }
    for index in 0..<fanOut where index != skipped {
      let word = source[index]
      if word != 0, word & 1 == 0 { retainNode(node(word)) }
    }
    return result
  }
}
