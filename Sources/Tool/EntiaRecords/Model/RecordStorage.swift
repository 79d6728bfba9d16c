import EntiaDatabase

/// The rows of all entities as one table, and their references as one relationship over it.
///
/// The schema is data, so the entities have no table types of their own. In every other respect
/// this is a storage like a declared one, and obeys the same laws.
struct RecordStorage: NormalizedStorageType {
  struct Contents: StorageContents {
    var records = Tables.Hash<Record>()
    var references = RecordReferences()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("records", \.records)
      visitor.relationship("references", \.references)
    }
  }

  // A storage with relationships is declared as one that may refuse changes, even if its current
  // rules never do.
  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var records: Tables.Hash<Record> { snapshot.contents.records }
}

extension RecordStorage {
  /// Inserts rows in one batch, and replaces the rows with the same IDs.
  ///
  /// - Parameter defersLinks: Whether to build the reverse direction of the references of a new
  ///   database only when a row changes.
  /// - Throws: The violated rule of the storage. The rows are then unchanged.
  mutating func write(_ records: [Record], defersLinks: Bool = false) throws {
    if self.records.isEmpty { return fill(records, defersLinks: defersLinks) }
    try performBatchUpdates { context in
      for record in records { context.modifying.records.insert(record) }
    }
  }

  /// Creates the first version from rows with distinct IDs. No rule can refuse them, so the checks
  /// of a batch are skipped.
  mutating func fill(_ records: [Record], defersLinks: Bool) {
    var contents = snapshot.contents
    contents.records = Tables.Hash(records)
    if defersLinks {
      contents.references.deferLinks(of: contents.records)
    } else {
      contents.references.removeAllLinks()
      for record in records { contents.references.holderChanged(from: nil, to: record) }
    }
    snapshot = Snapshot(unchecked: contents)
  }

  /// Returns descriptions of the defects of the table and of both directions of the relationship.
  /// Dangling references are excluded; a caller that has the members reports them.
  func defects() -> [String] {
    verify().filter {
      if case .danglingReference = $0 { false } else { true }
    }.map(\.description)
  }
}
