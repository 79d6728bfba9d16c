/// A violation of a rule of the database by a batch.
public enum BatchViolation: Hashable, Sendable, CustomStringConvertible {
  /// A removed entity is still referenced through a relationship that denies its removal.
  case deniedDelete(EntityLabel, relationship: String, holders: [EntityLabel])
  /// An entity references fewer or more others than a relationship allows.
  case wrongCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)
  /// Fewer or more holders reference an entity than a relationship allows.
  case wrongHolderCount(EntityLabel, relationship: String, count: Int, limits: CountLimits)
  /// Several entities have the same key of an index that allows one.
  case duplicateKey(index: String, key: String, entities: [EntityLabel])
  /// An entity references a missing one through a relationship that requires it.
  case missingReference(EntityLabel, relationship: String, target: EntityLabel)
  /// A check rejects an entity, or the batch as a whole if `entity` is `nil`.
  case brokenCheck(check: String, rule: String, entity: EntityLabel?)

  /// A sentence that names the rule and the entities.
  public var description: String {
    switch self {
    case .deniedDelete(let target, let relationship, let holders):
      let named = holders.prefix(5).map(\.description).joined(separator: ", ")
      let more = holders.count > 5 ? " and \(holders.count - 5) more" : ""
      return
        "\(target) cannot be removed: it is referenced through \(relationship) by \(named)\(more)"
    case .wrongCount(let holder, let relationship, let count, let limits):
      return "\(holder): \(relationship) references \(count), but must reference \(limits)"
    case .wrongHolderCount(let target, let relationship, let count, let limits):
      return "\(target): referenced by \(count) through \(relationship), but must be referenced by "
        + "\(limits)"
    case .duplicateKey(let index, let key, let entities):
      let named = entities.prefix(5).map(\.description).joined(separator: " and ")
      let more = entities.count > 5 ? " and \(entities.count - 5) more" : ""
      return "\(index): \(named)\(more) have the same key \(key)"
    case .missingReference(let holder, let relationship, let target):
      return "\(holder): \(relationship) requires \(target), which does not exist"
    case .brokenCheck(let check, let rule, let entity):
      return "\(entity.map { "\($0): " } ?? "")\(check) requires that \(rule)"
    }
  }
}

/// The reason why a batch was not committed.
public enum BatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The batch called `abort()`.
  case aborted
  /// The database changed between the start of the batch and its commit.
  case stale(storage: String)
  /// The batch violates rules of the database. The list contains all violations: denied removals
  /// in the order of the removals, in a merge with references to missing entities among them, then
  /// the others in the order of declaration.
  case refused([BatchViolation])

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .aborted: "the batch was aborted"
    case .stale(let storage):
      "the batch began on an older version of \(storage); begin a new batch on the current version"
    case .refused(let violations):
      "the batch was refused: \(violations.firstDescriptions)"
    }
  }
}
