/// An inconsistency in a database.
public enum VerificationIssue: Hashable, Sendable, CustomStringConvertible {
  /// A key references a missing entity. Data can cause this.
  case danglingReference(EntityLabel, relationship: String, target: EntityLabel)
  /// An entity references fewer or more others than a relationship allows. Data can cause this.
  case wrongCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)
  /// Fewer or more holders reference an entity than a relationship allows. Data can cause this.
  case wrongHolderCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)
  /// The reverse direction of a relationship differs from the keys of the rows. Only a defect of
  /// Entia can cause this.
  case reverseMismatch(relationship: String, target: EntityLabel)
  /// The entry of an index differs from the entity's row. Only a defect of Entia, or a key that
  /// differs between equal entities, can cause this. An empty key means that the entity of a held
  /// ID is missing.
  case indexMismatch(index: String, entity: EntityLabel, key: String)
  /// Rows violate a unique key or a check. Decoded data can cause this.
  case brokenConstraint(BatchViolation)
  /// A row cannot be found by its ID, because the ID changed while the row was in the table.
  case misfiledRow(table: String, entity: EntityLabel)
  /// The order of a table does not match its rows. Only a defect of Entia can cause this.
  case orderMismatch(table: String, reason: String)

  /// A sentence that names the affected entity or part, and the problem.
  public var description: String {
    switch self {
    case .danglingReference(let holder, let relationship, let target):
      "\(holder): \(relationship) references \(target), which does not exist"
    case .wrongCount(let holder, let relationship, let count, let limits):
      BatchViolation.wrongCount(holder, relationship: relationship, count: count, limits: limits)
        .description
    case .wrongHolderCount(let target, let relationship, let count, let limits):
      BatchViolation.wrongHolderCount(
        target, relationship: relationship, count: count, limits: limits
      ).description
    case .reverseMismatch(let relationship, let target):
      "\(relationship): the stored holders of \(target) differ from the rows that reference it"
    case .indexMismatch(let index, let entity, ""):
      "\(index): \(entity) is held but does not exist"
    case .indexMismatch(let index, let entity, let key):
      "\(index): \(entity) is not stored under \(key), the key of its row"
    case .brokenConstraint(let violation):
      violation.description
    case .misfiledRow(let table, let entity):
      "\(table): \(entity) cannot be found by its ID"
    case .orderMismatch(let table, let reason):
      "\(table): \(reason)"
    }
  }
}

extension NormalizedStorageType {
  /// Returns an issue for each violation of a unique key, and for each row that fails a
  /// `Checks.Entity`. Checks of batches, counts and required references are not included.
  func constraintIssues() -> [VerificationIssue] {
    var verifier = RuleVerifier(snapshot: snapshot, checksReferences: false)
    Contents.visitParts(&verifier)
    return verifier.violations.map { .brokenConstraint($0) }
  }
}
