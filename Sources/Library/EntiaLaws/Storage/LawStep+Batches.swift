import EntiaDatabase

private struct Interruption: Error {}

extension LawStep {
  /// Checks law 8: a batch leaves no trace if it throws after none, one, two or three edits.
  func checkThrow(_ random: inout SeededGenerator) throws {
    let start = image(storage)
    let seed = random.next()
    for point in 0..<4 {
      var copy = storage
      var repeated = SeededGenerator(seed: seed)
      var thrown: (any Error)?
      do {
        try operations.perform(&copy) { context in
          for _ in 0..<point { try Subject.edit(&context, using: &repeated) }
          throw Interruption()
        }
      } catch {
        thrown = error
      }
      try require(thrown != nil, "a batch swallowed what its closure threw")
      try require(image(copy) == start, "something is left of a batch that threw at edit \(point)")
      try require(
        operations.changes(copy, storage).isEmpty, "a batch that threw at edit \(point) is a change"
      )
    }
  }

  /// Checks law 9. If the rules accept edits in several batches, they must accept the edits in a
  /// single batch, with the same result. A refusal for another reason, such as an error of
  /// `finalizeTransaction`, is ignored.
  func checkConcatenation(_ random: inout SeededGenerator) throws {
    let seed = random.next()
    let batches = 3
    var generator = SeededGenerator(seed: seed)
    var single = storage
    for _ in 0..<batches {
      guard let next = try batch(on: single, edits: 2, &generator) else { return }
      single = next
    }
    var concatenated = storage
    generator = SeededGenerator(seed: seed)
    do {
      try operations.perform(&concatenated) { context in
        for _ in 0..<(batches * 2) { try Subject.edit(&context, using: &generator) }
      }
    } catch let error as BatchError {
      guard case .refused(let violations) = error else { throw error }
      let denied = violations.contains {
        if case .deniedDelete = $0 { return true }
        if case .wrongCount = $0 { return true }
        if case .wrongHolderCount = $0 { return true }
        return false
      }
      try require(!denied, "\(batches) batches succeed and their concatenation does not: \(error)")
      return
    }
    try require(
      image(concatenated).tables == image(single).tables,
      "\(batches) batches and their concatenation give different rows or orders")
  }

  /// Checks law 10: edits that a batch makes and undoes are no change.
  func checkTakingBack(_ random: inout SeededGenerator) throws {
    var copy = storage
    var isDone = true
    do {
      try operations.perform(&copy) { context in
        for _ in 0..<3 { try Subject.edit(&context, using: &random) }
        // Repeated, because undoing edits applies delete rules, whose effects must be undone as
        // well.
        for _ in 0..<8 where !context.changes.isEmpty { takeBack(&context) }
        isDone = context.changes.isEmpty
      }
    } catch {
      return
    }
    try require(isDone, "what was done and taken back in a batch is still among its changes")
    let changes = operations.changes(copy, storage)
    try require(changes.isEmpty, "what was done and taken back is a change: \(changes)")
    try require(operations.isEqual(copy, storage), "what was done and taken back is not equal")
  }

  private func takeBack(_ context: inout BatchContext<Storage>) {
    let changes = context.changes
    for table in parts.tables {
      for (key, transition) in table.transitions(changes) where transition.old == nil {
        table.remove(&context, key)
      }
    }
    let rest = context.changes
    for table in parts.tables {
      for (_, transition) in table.transitions(rest) {
        if let old = transition.old { table.insert(&context, old) }
      }
      if table.isOrdered {
        table.reorder(&context, table.rows(storage.snapshot.contents).map(\.key))
      }
    }
    for ids in parts.heldIDs { ids.replace(&context, storage.snapshot.contents) }
  }

  /// Checks law 11: a batch on an old version is refused.
  func checkStale(_ random: inout SeededGenerator) throws {
    var copy = storage
    var early = copy.beginBatchUpdates()
    do {
      try Subject.edit(&early, using: &random)
    } catch {
      return
    }
    guard let moved = try batch(on: copy, edits: 2, &random), moved != copy else { return }
    copy = moved
    let expected = image(copy)
    do {
      try operations.commit(&copy, early)
    } catch let error as BatchError {
      guard case .stale = error else { throw LawFailure("a stale batch was refused as: \(error)") }
      try require(image(copy) == expected, "a stale batch left something")
      return
    }
    throw LawFailure("a batch begun on an old version was committed on a newer one")
  }

  /// Checks law 12: reads inside a batch see its own writes and deletes.
  func checkStagedReads(_ random: inout SeededGenerator) throws {
    let start = image(storage)
    let rows = start.content
    var failure: (any Error)?
    var staged: [[AnyRow]] = []
    var copy = storage
    do {
      try operations.perform(&copy) { context in
        for _ in 0..<3 {
          try Subject.edit(&context, using: &random)
          do {
            try requireStagedReads(context, start, rows)
          } catch {
            failure = failure ?? error
          }
        }
        staged = parts.tables.map { $0.stagedRows(context) }
      }
    } catch {
      if let failure { throw failure }
      return
    }
    if let failure { throw failure }
    try require(image(copy).tables == staged, "what a batch read last is not what it committed")
  }

  private func requireStagedReads(
    _ context: borrowing BatchContext<Storage>, _ start: StorageImage,
    _ before: [AnyRowID: AnyRow]
  ) throws {
    var expected = before
    for (key, transition) in transitions(context.changes) { expected[key] = transition.new }
    try require(image(context.current) == start, "`current` changed inside a batch")
    for table in parts.tables {
      let rows = table.stagedRows(context)
      let count = expected.keys.count { $0.entity == table.entity }
      try requireEqual(rows.count, count, "rows that \(table.name) shows inside a batch")
      for row in rows {
        try require(expected[row.key] == row, "\(table.name) shows another \(row) inside a batch")
      }
      for key in before.keys where key.entity == table.entity {
        try require(
          table.stagedFind(context, key) == expected[key], "\(table.name) finds another \(key)")
      }
    }
  }
}

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
      // A check of the storage may refuse removals that no relationship refuses.
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
