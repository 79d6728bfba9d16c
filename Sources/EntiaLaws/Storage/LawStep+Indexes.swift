import EntiaDatabase

extension LawStep {
  /// Law 13: in this version, in those kept, in what change sets make of them, and while a batch
  /// runs.
  func checkIndexes(_ random: inout SeededGenerator) throws {
    try requireIndexes(of: storage, "after a batch")
    for version in history.kept { try requireIndexes(of: version.storage, "in an old version") }
    let changes = operations.changes(storage, before)
    var copy = before
    try operations.apply(&copy, changes)
    try requireIndexes(of: copy, "after applying changes")
    try operations.apply(&copy, operations.inverted(changes))
    try requireIndexes(of: copy, "after applying inverted changes")
    var failure: (any Error)?
    do {
      copy = storage
      try operations.perform(&copy) { context in
        for _ in 0..<3 {
          try Subject.edit(&context, using: &random)
          do {
            try requireIndexes(in: context)
          } catch {
            failure = failure ?? error
          }
        }
      }
    } catch {
      // What a refused batch leaves is judged by law 8.
    }
    if let failure { throw failure }
  }

  private func requireIndexes(of storage: Storage, _ moment: String) throws {
    let contents = storage.snapshot.contents
    let rows = parts.tables.flatMap { $0.rows(contents) }
    for index in parts.indexes {
      let mismatches = index.mismatches(contents, rows)
      try require(mismatches.isEmpty, "\(index.name) \(moment): \(mismatches)")
    }
  }

  private func requireIndexes(in context: borrowing BatchContext<Storage>) throws {
    var rows: [AnyRow] = []
    for table in parts.tables { rows += table.stagedRows(context) }
    for index in parts.indexes {
      let mismatches = index.stagedMismatches(context, rows)
      try require(mismatches.isEmpty, "\(index.name) inside a batch: \(mismatches)")
    }
  }
}
