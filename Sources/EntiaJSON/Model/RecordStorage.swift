import EntiaDatabase

/// The rows of all entities as one table, and what they name as one relationship over it.
///
/// The schema is data, so there can be no table type for each entity; in every other respect this is
/// a storage like those that are declared, and obeys the same laws.
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

  // A storage with relationships says that it may refuse, whatever their rules are now.
  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var records: Tables.Hash<Record> { snapshot.contents.records }
}

extension RecordStorage {
  /// Inserts rows, or puts them in the place of those that have their IDs, in one batch.
  ///
  /// - Throws: what a rule of the storage says against it. The rows are then as they were.
  mutating func write(_ records: [Record]) throws {
    if self.records.isEmpty { return fill(records) }
    try performBatchUpdates { context in
      for record in records { context.modifying.records.insert(record) }
    }
  }

  /// Makes the first version of rows, each with an ID of its own: no rule can be against it, and
  /// what a batch asks of every row is not asked.
  private mutating func fill(_ records: [Record]) {
    var contents = snapshot.contents
    contents.records = Tables.Hash(records)
    contents.references.removeAllLinks()
    for record in records { contents.references.holderChanged(from: nil, to: record) }
    snapshot = Snapshot(unchecked: contents)
  }

  /// What is wrong with the rows or the two directions of the relationship, in sentences; references
  /// to no row are told by those who know the members.
  func defects() -> [String] {
    verify().filter {
      if case .danglingReference = $0 { false } else { true }
    }.map(\.description)
  }
}
