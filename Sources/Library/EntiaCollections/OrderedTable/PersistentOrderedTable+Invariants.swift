extension PersistentOrderedTable {
  /// Returns the position of the element with a key, or `nil` if there is no such element.
  ///
  /// The position is counted in the order tree, whereas `position(of:)` computes it in the regular
  /// prefix. A check can therefore compare the two results.
  package func countedPosition(of key: Key) -> Int? {
    guard let place = place(of: key, tag: tag(of: key)) else { return nil }
    return isTree ? countedStart(ofLeaf: place.leaf) + place.offset : place.offset
  }
}

extension PersistentOrderedTable: InvariantChecking {
  /// Returns the violated invariants of the table's structure: none, unless Entia itself has a
  /// defect.
  /// - Complexity: O(*n*).
  @usableFromInline
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var position = 0
    for element in self {
      let key = Layout.key(of: element)
      if let found = self.position(of: key) {
        if found != position { violations.append("position \(position): its key is at \(found)") }
      } else {
        violations.append("position \(position): its key is not found")
      }
      position += 1
    }
    if position != count { violations.append("\(position) elements for a count of \(count)") }
    guard isTree else {
      if leaves.height != 0 { violations.append("a tree of numbers without an order tree") }
      if index.root != nil { violations.append("an index without an order tree") }
      return violations
    }
    let indexed = index.entryCount
    if indexed != count { violations.append("\(indexed) index entries for a count of \(count)") }
    for position in 0..<count {
      let place = path(from: branches[0]).place(at: position)
      let start = start(ofLeaf: place.leaf)
      let counted = countedStart(ofLeaf: place.leaf)
      if self.place(at: position) != place || start + place.offset != position || counted != start {
        violations.append("position \(position): not the regular place")
      }
    }
    var seen: Set<Int> = []
    let total = checkBranch(0, level: nil, parent: 0, &seen, &violations)
    if total != count { violations.append("the root counts \(total) for \(count)") }
    return violations
  }

  private func checkBranch(
    _ number: Int, level: Int32?, parent: Int, _ seen: inout Set<Int>,
    _ violations: inout [String]
  ) -> Int {
    let branch = branches[number]
    let header = branch.header.pointee
    let place = "branch \(number)"
    if Int(header.parent) != parent { violations.append("\(place): parent \(header.parent)") }
    if let level, header.level != level { violations.append("\(place): level \(header.level)") }
    let count = branch.count
    if count == 0 { violations.append("\(place): no child") }
    var end = 0
    for index in 0..<Branch.fanOut {
      let child = branch.child(index)
      let childEnd = branch.ends[index]
      if index >= count {
        if child != -1 || childEnd != .max { violations.append("\(place): rests at \(index)") }
        continue
      }
      if header.level > 0 {
        end += checkBranch(child, level: header.level - 1, parent: number, &seen, &violations)
      } else {
        end += checkLeaf(child, parent: number, &seen, &violations)
      }
      if end != Int(childEnd) { violations.append("\(place): \(childEnd) for \(end) at \(index)") }
    }
    return end
  }

  private func checkLeaf(
    _ number: Int, parent: Int, _ seen: inout Set<Int>, _ violations: inout [String]
  ) -> Int {
    let leaf = leaves[number]
    let header = leaf.header.pointee
    let place = "leaf \(number)"
    if !seen.insert(number).inserted { violations.append("\(place): twice in the order") }
    if Int(header.parent) != parent { violations.append("\(place): parent \(header.parent)") }
    if header.count == 0 { violations.append("\(place): empty") }
    if Int(header.room) != Leaf.capacity { violations.append("\(place): room \(header.room)") }
    for offset in 0..<leaf.count {
      let tag = self.tag(of: Layout.key(of: leaf.elements[offset]))
      if leaf.tags[offset] != tag { violations.append("\(place): tag at \(offset)") }
    }
    return Int(header.count)
  }
}
