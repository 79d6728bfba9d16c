import EntiaDatabase

extension LawStep {
  /// Checks law 47: an eviction removes what its plan lists, and nothing that is kept.
  func checkEviction(_ random: inout SeededGenerator) throws {
    let before = image(storage)
    let rows = before.content
    var kept: [AnyRowID] = []
    for table in before.tables where !table.isEmpty && random.oneIn(2) {
      kept.append(table[random.number(in: 0..<table.count)].key)
    }
    let limit = random.number(in: 0..<(rows.count + 1))
    let roots = kept.compactMap { key in parts.table(of: key)?.root(key) }
    let plan = operations.evict(storage, .rows(limit), roots)
    var evicted = storage
    do {
      try operations.perform(&evicted) { try $0.remove(plan) }
    } catch let BatchError.refused(violations) {
      // A check of the storage may refuse what no relationship does.
      for violation in violations {
        if case .brokenCheck = violation { continue }
        throw LawFailure("an eviction is refused: \(violation)")
      }
      return
    }
    let after = image(evicted)
    let left = after.content
    for key in kept {
      try require(left[key] == rows[key], "\(key) is kept and was evicted or changed")
    }
    try require(after.held == before.held && after.heldSets == before.heldSets, "a held ID is lost")
    try require(
      operations.changes(evicted, storage) == plan.changes, "a plan of an eviction lists other rows"
    )
    try require(
      left.count == plan.remainingSize && plan.isWithinBudget == (left.count <= limit),
      "\(left.count) rows are left for a budget of \(limit), not \(plan.remainingSize)")
    try requireNoNewIssues(evicted, of: [storage], "an eviction")
  }
}
