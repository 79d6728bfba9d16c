/// Why a batch was not committed.
public enum BatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The batch called `abort()`.
  case aborted
  /// The database changed between the batch's begin and its commit.
  case stale(storage: String)
  /// Rules of the database refuse what the batch did: all of them, denied removals in the order of the
  /// removals and then others in the order of declaration.
  case refused([BatchViolation])

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .aborted: "the batch was aborted"
    case .stale(let storage):
      "the batch was begun on an older version of \(storage); begin it anew on the present one"
    case .refused(let violations):
      "the batch was refused: \(violations.map(\.description).joined(separator: "; "))"
    }
  }
}

/// A rule of the database that a batch would break.
public enum BatchViolation: Hashable, Sendable, CustomStringConvertible {
  /// An entity was removed that others still name through a relationship that denies it.
  case deniedDelete(EntityLabel, relationship: String, holders: [EntityLabel])
  /// An entity names fewer or more others than a relationship allows.
  case wrongCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)

  /// Several entities have one key of an index that allows one.
  case duplicateKey(index: String, key: String, entities: [EntityLabel])
  /// An entity names another that is not there, through a relationship that requires it.
  case missingReference(EntityLabel, relationship: String, target: EntityLabel)
  /// A check does not accept an entity, or the batch as a whole when none is named.
  case brokenCheck(check: String, rule: String, entity: EntityLabel?)

  /// A sentence that names the rule and the entities.
  public var description: String {
    switch self {
    case .deniedDelete(let target, let relationship, let holders):
      let named = holders.prefix(5).map(\.description).joined(separator: ", ")
      let more = holders.count > 5 ? " and \(holders.count - 5) more" : ""
      return "\(target) cannot be removed: \(relationship) is named by \(named)\(more)"
    case .wrongCount(let holder, let relationship, let count, let limits):
      return "\(holder): \(relationship) names \(count), where \(limits) must be named"
    case .duplicateKey(let index, let key, let entities):
      let named = entities.map(\.description).joined(separator: " and ")
      return "\(index): \(named) have the same key \(key)"
    case .missingReference(let holder, let relationship, let target):
      return "\(holder): \(relationship) requires \(target), which is not there"
    case .brokenCheck(let check, let rule, let entity):
      return "\(entity.map { "\($0): " } ?? "")\(check) requires that \(rule)"
    }
  }
}

/// What a committed batch did.
public struct BatchReport<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// How the database changed.
  public let changes: StorageChangeSet<Storage>
  /// What was passed over, in the order in which it happened.
  public let problems: [BatchProblem]
}

/// Something in a batch that was passed over.
public enum BatchProblem: Hashable, Sendable, CustomStringConvertible {
  /// An update changed an entity's ID; the row was left as it was.
  case changedID(EntityLabel, to: EntityLabel)
  /// An ID was held whose entity is not there at the end of the batch; it was dropped.
  case heldWithoutEntity(EntityLabel, part: String)

  /// A sentence that names the entity and the reason.
  public var description: String {
    switch self {
    case .changedID(let entity, let new):
      TableError.changedID(entity, to: new).description
    case .heldWithoutEntity(let entity, let part):
      "\(part) does not hold \(entity), which is not there"
    }
  }
}
