package import EntiaDatabase

/// The operations of a database that the laws use. A test may replace one with a defective
/// operation, to check that a law detects it.
package struct StorageOperations<Storage: NormalizedStorageType> {
  package typealias Body = (inout BatchContext<Storage>) throws -> Void

  package var perform: (inout Storage, Body) throws -> Void = { storage, body in
    // Selects the throwing form, which every storage has.
    func perform<Some: NormalizedStorageType>(
      _ storage: inout Some, _ body: (inout BatchContext<Some>) throws -> Void
    ) throws { try storage.performBatchUpdates(body) }
    try perform(&storage, body)
  }
  package var commit: (inout Storage, consuming BatchContext<Storage>) throws -> Void = {
    try $0.commitBatchUpdates($1)
  }
  package var changes: (_ new: Storage, _ old: Storage) -> Storage.ChangeSet = {
    $0.changes(since: $1)
  }
  package var differingKeys: (_ new: Storage, _ old: Storage) -> DifferingKeys = {
    DifferingKeys(from: $1.version, to: $0.version)
  }
  package var apply: (inout Storage, Storage.ChangeSet) throws -> Void = { try $0.apply($1) }
  package var inverted: (Storage.ChangeSet) -> Storage.ChangeSet = { $0.inverted }
  package var composed: (Storage.ChangeSet, Storage.ChangeSet) -> Storage.ChangeSet = {
    $0.composed(with: $1)
  }
  package var merge:
    (_ mine: Storage, _ theirs: Storage, _ base: Storage, MergeChoice) throws -> MergeResult<
      Storage
    > = { mine, theirs, base, choice in
      try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: choice))
    }
  package var isEqual: (Storage, Storage) -> Bool = { $0 == $1 }
  package var verify: (Storage) -> [VerificationIssue] = { $0.verify() }

  package init() {}
}
