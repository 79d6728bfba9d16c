extension BatchTransaction {
  /// Returns every constraint that the batch violates: unique keys, required references and
  /// checks, in the order of their declaration.
  /// - Complexity: O(changes · log *n*); O(1) if unique keys are the only constraints and no key
  ///   has duplicates.
  @usableFromInline
  func constraintViolations() -> [BatchViolation] {
    var validator = ConstraintValidator(transaction: self)
    Storage.Contents.visitParts(&validator)
    return validator.violations
  }
}

extension BatchTransaction {
  /// Returns the violations in rows that the batch did not change. The list is empty unless the
  /// batch began on a version with unchecked rows and changed something.
  /// - Complexity: O(*n*) if the batch began on a version with unchecked rows, O(1) otherwise.
  @usableFromInline
  func keptViolations() -> [BatchViolation] {
    guard base.box.layout.isUnvalidated, !isUntouched else { return [] }
    let known = Set(countViolations() + constraintViolations())
    return version().brokenRules().filter { !known.contains($0) }
  }
}

/// Checks the result of a batch against the constraints. Only the changes of the batch are
/// examined.
private struct ConstraintValidator<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  var violations: [BatchViolation] = []
  private var knownOutcome: BatchOutcome<Storage>?

  init(transaction: BatchTransaction<Storage>) { self.transaction = transaction }

  private mutating func outcome() -> BatchOutcome<Storage> {
    if let knownOutcome { return knownOutcome }
    let outcome = BatchOutcome<Storage>(from: transaction.base, to: transaction.version())
    knownOutcome = outcome
    return outcome
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.self is any ConstrainingIndex.Type else { return }
    func validate<Refusing: ConstrainingIndex>(_ index: Refusing) {
      guard index.isBroken else { return }
      violations += index.violations(
        name: name, among: outcome().changes.changes(of: Refusing.Entity.self).written)
    }
    if let index = transaction.contents.part(at: path).pointee as? any ConstrainingIndex {
      validate(index)
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard transaction.contents.part(at: path).pointee.isRequired else { return }
    let relationship = transaction.contents.part(at: path).pointee
    let targets = transaction.contents.table(of: Relationship.Target.self)
    let changes = outcome().changes
    var seen: Set<Relationship.Holder.EntityID> = []
    for holder in changes.changes(of: Relationship.Holder.self).written {
      seen.insert(holder.entityID)
      var missing: Set<Relationship.Target.EntityID> = []
      for target in relationship.targetIDs(of: holder)
      where targets?.contains(target) != true && missing.insert(target).inserted {
        note(holder.entityID, name, target)
      }
    }
    let denied = transaction.deniedDeletions[name] as? DeniedDeletions<Storage, Relationship>
    for target in changes.changes(of: Relationship.Target.self).removed {
      for holder in relationship.holderIDs(of: target.entityID)
      where !seen.contains(holder) && denied?.hasDenial(of: target.entityID, by: holder) != true {
        note(holder, name, target.entityID)
      }
    }
  }

  private mutating func note<Holder: EntityType, Target: EntityType>(
    _ holder: EntityIdentifier<Holder>, _ name: String, _ target: EntityIdentifier<Target>
  ) {
    violations.append(
      .missingReference(EntityLabel(holder), relationship: name, target: EntityLabel(target)))
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    func rowViolations<Row: RowCheck>(of check: Row) -> [BatchViolation] {
      outcome().changes.changes(of: Row.Checked.self).written.compactMap {
        check.violation(name: name, of: $0)
      }
    }
    let check = transaction.contents.part(at: path).pointee
    if let check = check as? any RowCheck {
      violations += rowViolations(of: check)
    } else if let check = check as? any StorageCheck, !outcome().changes.isEmpty,
      let violation = check.violation(name: name, of: outcome())
    {
      violations.append(violation)
    }
  }
}

/// The result of a batch before it is committed.
public struct BatchOutcome<Storage: NormalizedStorageType>: Sendable {
  let base: Snapshot<Storage.Contents>
  let result: Snapshot<Storage.Contents>

  /// The changes of the batch.
  public let changes: Storage.ChangeSet

  init(from base: Snapshot<Storage.Contents>, to result: Snapshot<Storage.Contents>) {
    self.base = base
    self.result = result
    changes = StorageChangeSet(from: base, to: result)
  }

  /// The database before the batch.
  public var before: Storage { storage(base) }

  /// The database after the batch.
  public var after: Storage { storage(result) }

  private func storage(_ snapshot: Snapshot<Storage.Contents>) -> Storage {
    var storage = Storage()
    storage.snapshot = snapshot
    return storage
  }
}

extension LinkedRelationship {
  /// Returns the relationship with the rule that its key must not dangle. A batch that wrote the
  /// holder or removed the target is refused if the key dangles at the end of the batch.
  ///
  /// ```swift
  /// @Relationship var bookAuthor: ToOne<Book, Author>
  ///   = .init(\.authorID, onDelete: .cascade).required()
  /// ```
  ///
  /// An optional key may still be `nil`, and a list may be empty.
  public func required() -> Self {
    var copy = self
    copy.traits.isRequired = true
    return copy
  }

  /// Returns the relationship with limits of the number of holders that may reference one entity. A
  /// batch that inserts an entity or changes its holders is refused if the number of holders of the
  /// entity is outside the limits.
  ///
  /// ```swift
  /// @Relationship var playerTeam: ToOne<Player, Team>
  ///   = .init(\.teamID, onDelete: .cascade).holders(.atMost(11))
  /// ```
  ///
  /// A holder whose list contains an entity more than once counts once. The limits apply to
  /// existing entities; dangling references are not checked.
  /// - Parameter limits: The limits of the number of holders.
  /// - Returns: A copy with the limits.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.traits.holderLimits = limits
    return copy
  }
}

extension RelationshipType {
  /// Returns the violation if a holder references fewer or more entities than allowed.
  func countViolation(_ name: String, by holder: Holder) -> BatchViolation? {
    let count = targetIDs(of: holder).count
    if countLimits.allow(count) { return nil }
    return .wrongCount(
      EntityLabel(holder.entityID), relationship: name, count: count, limits: countLimits)
  }

  /// Returns the violation if fewer or more holders than allowed reference an entity.
  func holderCountViolation(_ name: String, by target: Target.EntityID) -> BatchViolation? {
    let count = holderCount(of: target)
    if holderLimits.allow(count) { return nil }
    return .wrongHolderCount(
      EntityLabel(target), relationship: name, count: count, limits: holderLimits)
  }
}
