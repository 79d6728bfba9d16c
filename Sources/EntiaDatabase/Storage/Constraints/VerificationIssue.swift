/// Something that is wrong with a database.
public enum VerificationIssue: Hashable, Sendable, CustomStringConvertible {
  /// A key names an entity that is not there. Data can cause this.
  case danglingReference(EntityLabel, relationship: String, target: EntityLabel)
  /// An entity names fewer or more others than a relationship allows. Data can cause this.
  case wrongCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)
  /// A relationship's reverse direction is not what the rows say. Only a defect of Entia can.
  case reverseMismatch(relationship: String, target: EntityLabel)
  /// An index files an entity otherwise than its row says. Only a defect of Entia can cause this, or
  /// a key that differs between equal entities.
  case indexMismatch(index: String, entity: EntityLabel, key: String)
  /// Rows break a unique key or a check. Data that was decoded can cause this.
  case brokenConstraint(BatchViolation)
  /// A row cannot be found by its own ID: the ID changed while it was stored.
  case misfiledRow(table: String, entity: EntityLabel)
  /// A table's order does not have exactly its rows. Only a defect of Entia can cause this.
  case orderMismatch(table: String, reason: String)

  /// A sentence that names the place and the reason.
  public var description: String {
    switch self {
    case .danglingReference(let holder, let relationship, let target):
      "\(holder): \(relationship) names \(target), which is not there"
    case .wrongCount(let holder, let relationship, let count, let limits):
      BatchViolation.wrongCount(holder, relationship: relationship, count: count, limits: limits)
        .description
    case .reverseMismatch(let relationship, let target):
      "\(relationship): the holders of \(target) are not those whose keys name it"
    case .indexMismatch(let index, let entity, ""):
      "\(index): \(entity) is held and not there"
    case .indexMismatch(let index, let entity, let key):
      "\(index): \(entity) is not filed under \(key) as its row says"
    case .brokenConstraint(let violation):
      violation.description
    case .misfiledRow(let table, let entity):
      "\(table): \(entity) cannot be found by its ID"
    case .orderMismatch(let table, let reason):
      "\(table): \(reason)"
    }
  }
}
