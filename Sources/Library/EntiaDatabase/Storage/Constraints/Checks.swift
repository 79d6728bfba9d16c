/// Custom rules, which are checked at the end of every batch:
///
/// ```swift
/// @Check var year: Checks.Entity<Book> = .init("the year is positive") { $0.year > 0 }
/// @Check var size: Checks.Batch<Library> = .init("there are at most 100 shelves") {
///   $0.after.shelves.count <= 100
/// }
/// ```
///
/// A batch that violates rules is refused, with all violations in one error, and has no effect.
/// Rules may be violated within a batch.
public enum Checks {}

extension Checks {
  /// A rule for each entity of a type. It is checked for the entities that a batch inserts or
  /// changes.
  public struct Entity<Checked: EntityType>: CheckType {
    /// The rule in words.
    public let rule: String
    private let accepts: @Sendable (Checked) -> Bool

    /// Creates a rule.
    /// - Parameters:
    ///   - rule: The rule in words, for the error.
    ///   - accepts: Returns whether an entity satisfies the rule.
    public init(_ rule: String, _ accepts: @escaping @Sendable (Checked) -> Bool) {
      self.rule = rule
      self.accepts = accepts
    }

    func violation(name: String, of entity: Checked) -> BatchViolation? {
      accepts(entity)
        ? nil : .brokenCheck(check: name, rule: rule, entity: EntityLabel(entity.entityID))
    }
  }

  /// A rule for a database as a whole. It is checked for every batch that changes something.
  public struct Batch<Checked: NormalizedStorageType>: CheckType {
    /// The rule in words.
    public let rule: String
    private let accepts: @Sendable (BatchOutcome<Checked>) -> Bool

    /// Creates a rule.
    /// - Parameters:
    ///   - rule: The rule in words, for the error.
    ///   - accepts: Returns whether the database before and after the batch, and the changes
    ///     between the two, satisfy the rule.
    public init(_ rule: String, _ accepts: @escaping @Sendable (BatchOutcome<Checked>) -> Bool) {
      self.rule = rule
      self.accepts = accepts
    }

    func violation<Storage: NormalizedStorageType>(
      name: String, of outcome: BatchOutcome<Storage>
    ) -> BatchViolation? {
      guard let outcome = outcome as? BatchOutcome<Checked> else {
        preconditionFailure("\(name) of \(Storage.self) is a check of \(Checked.self)")
      }
      return accepts(outcome) ? nil : .brokenCheck(check: name, rule: rule, entity: nil)
    }
  }
}

extension TableChanges {
  /// The entities that were inserted or updated, with their new values.
  var written: [Entity] { inserted + updated.map { $0.new } }
}

extension Checks.Entity: RowCheck {}

/// A check of a database as a whole. The check can also be applied to a version without a batch.
protocol StorageCheck: CheckType {
  /// Returns a violation if the check rejects the result of a batch, even if the batch changes
  /// nothing.
  func violation<Storage: NormalizedStorageType>(
    name: String, of outcome: BatchOutcome<Storage>
  ) -> BatchViolation?
}

extension Checks.Batch: StorageCheck {}

/// Checks the rows of a version against unique keys and the checks of entities, and collects the
/// violations. If `checksReferences` is `true`, it also checks counts and required references,
/// which `verify()` lists separately.
struct RuleVerifier<Contents: StorageContents>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  let checksReferences: Bool
  private var constraints: [BatchViolation] = []
  private var references: [BatchViolation] = []

  init(snapshot: Snapshot<Contents>, checksReferences: Bool) {
    self.snapshot = snapshot
    self.checksReferences = checksReferences
  }

  var violations: [BatchViolation] { references + constraints }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    func violations<Unique: ConstrainingIndex>(of index: Unique) -> [BatchViolation] {
      index.isBroken ? index.violations(name: name, among: rows(of: Unique.Entity.self)) : []
    }
    if let index = snapshot.contents[keyPath: path] as? any ConstrainingIndex {
      constraints += violations(of: index)
    }
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    func violations<Row: RowCheck>(of check: Row) -> [BatchViolation] {
      rows(of: Row.Checked.self).compactMap { check.violation(name: name, of: $0) }
    }
    if let check = snapshot.contents[keyPath: path] as? any RowCheck {
      constraints += violations(of: check)
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard checksReferences else { return }
    let relationship = snapshot.contents[keyPath: path]
    if relationship.holderLimits != .any {
      references += rows(of: Relationship.Target.self).compactMap {
        relationship.holderCountViolation(name, by: $0.entityID)
      }
    }
    if relationship.countLimits == .any, !relationship.isRequired { return }
    let targets = snapshot.table(of: Relationship.Target.self)
    for holder in rows(of: Relationship.Holder.self) {
      if let violation = relationship.countViolation(name, by: holder) {
        references.append(violation)
      }
      guard relationship.isRequired else { continue }
      for target in relationship.targetIDs(of: holder) where targets?.contains(target) != true {
        references.append(
          .missingReference(
            EntityLabel(holder.entityID), relationship: name, target: EntityLabel(target)))
      }
    }
  }

  private func rows<Entity: EntityType>(of entity: Entity.Type) -> [Entity] {
    var rows: [Entity] = []
    snapshot.table(of: entity)?.visitRows { rows.append($0) }
    return rows
  }
}
