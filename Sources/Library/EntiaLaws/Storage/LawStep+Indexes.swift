import EntiaDatabase

extension LawStep {
  /// Checks law 13 in this version, in the kept versions, after applying change sets, and during a
  /// batch.
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
      // Law 8 checks the state after a refused batch.
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
