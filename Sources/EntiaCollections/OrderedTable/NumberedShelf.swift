/// A node of the tree from numbers to nodes: its words are nodes, 0, or free numbers, which have the
/// lowest bit set.
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
  /// Log2 of the words: wider ones read faster, narrower ones copy faster.
  @inlinable
  @inline(__always)
  static var shift: Int { 4 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  @inlinable
  @inline(__always)
  static func index(of number: Int, shift: Int) -> Int { (number &>> shift) & (fanOut &- 1) }

  /// The node a word stands for.
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

  /// Copies a shelf, leaving out the node that the caller is about to replace (-1: none).
  @inlinable
  @inline(never)
  static func copy(_ shelf: NodePointer, except skipped: Int) -> NodePointer {
    TableWork.note(.nodeCopied)
    let result = make()
    let source = words(shelf)
    let target = words(result)
    // A retain of a cold node waits for it before the next one can start. Looking at all of them
    // first, at what is next to their reference counts, lets the waits overlap.
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
