extension PersistentTable: InvariantChecking {
  /// Returns the violated invariants of the table's structure: none, unless Entia itself has a
  /// defect.
  /// - Complexity: O(*n*).
  @usableFromInline
  package func invariantViolations() -> [String] {
    var violations: [String] = []
    var live = 0
    var run = firstLiveRun(from: 0)
    while !run.isEmpty {
      for slot in run {
        let found = self.slot(of: Layout.key(of: element(at: slot)))
        if found != slot { violations.append("slot \(slot): the index leads to \(found)") }
      }
      live += run.count
      run = firstLiveRun(from: run.upperBound)
    }
    if live != count { violations.append("\(live) live slots for a count of \(count)") }
    let indexed = index.entryCount
    if indexed != count { violations.append("\(indexed) index entries for a count of \(count)") }
    return violations
  }
}

extension SlotIndex {
  /// The number of entries, counted one by one.
  var entryCount: Int {
    var count = 0
    if !word.isNone { Self.forEachEntry(word) { _, _ in count += 1 } }
    return count
  }
}
