/// A number whose node differs between two versions. It consists of plain words, so that collecting
/// them retains nothing.
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

  // No closures here: a closure that captures a version would be retained at every step.
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
    of node: AnyNode?, _ nodeHeight: Int, at index: Int, _ height: Int
  ) -> AnyNode? {
    guard let node else { return nil }
    if nodeHeight < height { return index == 0 ? node : nil }
    return Inner.node(ifAny: node.cast(to: Inner.self).elements[index])
  }
}
