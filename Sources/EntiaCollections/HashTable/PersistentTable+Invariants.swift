extension PersistentTable {
  /// Returns the violated invariants of the table's structure: none, unless Entia itself has a
  /// defect.
  /// - Complexity: O(*n*).
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var live = 0
    for slot in 0..<nextSlot {
      guard let element = liveElement(at: slot) else { continue }
      live += 1
      let found = self.slot(of: Layout.key(of: element))
      if found != slot { violations.append("slot \(slot): the index leads to \(found)") }
    }
    if live != count { violations.append("\(live) live slots for a count of \(count)") }
    let indexed = index.entryCount
    if indexed != count { violations.append("\(indexed) index entries for a count of \(count)") }
    return violations
  }

  private func liveElement(at slot: Int) -> Element? {
    guard let root else { return nil }
    var node = borrowed(root)
    var shift = Pages<Element>.shift + Spines.shift * height
    while true {
      guard let child = Spines.children(node)[Spines.child(of: slot, shift: shift)] else {
        return nil
      }
      node = child
      if shift == Pages<Element>.shift { break }
      shift -= Spines.shift
    }
    let position = slot & (Pages<Element>.capacity - 1)
    guard Pages<Element>.live(node).pointee & (1 << UInt64(position)) != 0 else { return nil }
    return Pages<Element>.elements(node)[position]
  }
}

extension SlotIndex {
  /// The number of entries, counted one by one.
  fileprivate var entryCount: Int {
    var count = 0
    if word != 0 { Self.forEachEntry(word) { _, _ in count += 1 } }
    return count
  }
}
