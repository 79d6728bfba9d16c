import EntiaDatabase

/// A step of a history at which a law is checked.
struct LawStep<Subject: LawSubject> {
  typealias Storage = Subject.Storage

  let history: StorageHistory<Subject>
  /// The version before the last batch.
  let before: Storage
  let parts: StorageParts<Storage>
  let operations: StorageOperations<Storage>

  var storage: Storage { history.storage }

  func image(_ storage: Storage) -> StorageImage { StorageImage(of: storage, parts) }

  /// Returns the transitions that a change set lists in all tables.
  func transitions(_ changes: Storage.ChangeSet) -> [RowKey: TableHandle<Storage>.Transition] {
    parts.tables.reduce(into: [:]) { all, table in
      all.merge(table.transitions(changes), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Compares the transitions that a change set lists with the expected ones.
  func requireSame(
    _ found: [RowKey: TableHandle<Storage>.Transition],
    _ expected: [RowKey: TableHandle<Storage>.Transition], _ what: String
  ) throws {
    for key in Set(found.keys).union(expected.keys) {
      guard let said = found[key] else { throw LawFailure("\(what): \(key) is not listed") }
      guard let truth = expected[key] else {
        throw LawFailure("\(what): \(key) is listed and did not change")
      }
      try require(
        said.old == truth.old && said.new == truth.new,
        "\(what): \(key) is listed with other content")
    }
  }

  /// Runs a random batch on a copy. Returns the new version, or `nil` if the batch was refused.
  func batch(
    on start: Storage, edits: Int, _ random: inout SeededGenerator
  ) throws -> Storage? {
    var copy = start
    do {
      try operations.perform(&copy) { context in
        for _ in 0..<edits { try Subject.edit(&context, using: &random) }
      }
      return copy
    } catch {
      return nil
    }
  }
}
