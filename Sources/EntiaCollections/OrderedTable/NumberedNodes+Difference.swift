/// A number whose node differs between two versions. It consists of plain words, so that collecting
/// them retains nothing.
@frozen
@usableFromInline
struct NumberedDifference {
  @usableFromInline let number: Int
  /// The older version's node, or `nil` if the number was free.
  @usableFromInline let old: NodePointer?
  /// The newer version's node, or `nil` if the number is free.
  @usableFromInline let new: NodePointer?

  @inlinable
  init(number: Int, old: NodePointer?, new: NodePointer?) {
    self.number = number
    self.old = old
    self.new = new
  }
}

extension NumberedNodes {
  /// Returns the numbers whose nodes differ between two versions. Shared subtrees are skipped.
  @inlinable
  func differences(from old: Self) -> [NumberedDifference] {
    var result: [NumberedDifference] = []
    Self.compare(
      old.root.map(borrowed), Int(old.height), root.map(borrowed), Int(height), 0, &result)
    return result
  }

  // No closures here: a closure that captures a version would be retained at every step.
  @inlinable
  static func compare(
    _ a: NodePointer?, _ aHeight: Int, _ b: NodePointer?, _ bHeight: Int, _ first: Int,
    _ result: inout [NumberedDifference]
  ) {
    if a == b && aHeight == bHeight { return }
    TableWork.note(.nodeVisited)
    let height = Swift.max(a == nil ? 0 : aHeight, b == nil ? 0 : bHeight)
    if height == 0 {
      result.append(NumberedDifference(number: first, old: a, new: b))
      return
    }
    let size = 1 &<< (NumberedShelves.shift &* (height &- 1))
    for index in 0..<NumberedShelves.fanOut {
      // A lower tree counts as the first child of a tree of the greater height.
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
    of node: NodePointer?, _ nodeHeight: Int, at index: Int, _ height: Int
  ) -> NodePointer? {
    guard let node else { return nil }
    if nodeHeight < height { return index == 0 ? node : nil }
    let word = NumberedShelves.words(node)[index]
    return word == 0 || word & 1 != 0 ? nil : NumberedShelves.node(word)
  }
}
