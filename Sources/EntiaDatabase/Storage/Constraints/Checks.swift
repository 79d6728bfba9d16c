/// Rules of a user's own, which every batch is held to at its end:
///
/// ```swift
/// @Check var year: Checks.Entity<Book> = .init("the year is positive") { $0.year > 0 }
/// @Check var size: Checks.Batch<Library> = .init("there are at most 100 shelves") {
///   $0.after.shelves.count <= 100
/// }
/// ```
///
/// A batch that breaks a rule is refused, with all that it breaks in one error, and leaves no trace.
/// What it does in between may break rules.
public enum Checks {}

/// A rule that batches are held to. `Checks` has the kinds there are.
public protocol CheckType: Sendable {
  /// What has to be so.
  var rule: String { get }

  /// Returns what a batch breaks.
  /// - Parameter name: the name of the check in its storage.
  func violations<Storage: NormalizedStorageType>(
    name: String, in outcome: BatchOutcome<Storage>
  ) -> [BatchViolation]
}

/// What a batch would make of a database.
public struct BatchOutcome<Storage: NormalizedStorageType>: Sendable {
  let base: Snapshot<Storage.Contents>
  let made: Snapshot<Storage.Contents>

  /// What the batch changes.
  public let changes: Storage.ChangeSet

  init(from base: Snapshot<Storage.Contents>, to made: Snapshot<Storage.Contents>) {
    self.base = base
    self.made = made
    changes = StorageChangeSet(from: base, to: made)
  }

  /// The database before the batch.
  public var before: Storage { storage(base) }

  /// The database after the batch.
  public var after: Storage { storage(made) }

  private func storage(_ snapshot: Snapshot<Storage.Contents>) -> Storage {
    var storage = Storage()
    storage.snapshot = snapshot
    return storage
  }
}

extension Checks {
  /// A rule for each entity of a type, asked of those that a batch inserts or changes.
  public struct Entity<Checked: EntityType>: CheckType {
    /// What has to be so.
    public let rule: String
    private let accepts: @Sendable (Checked) -> Bool

    /// Creates a rule.
    /// - Parameters:
    ///   - rule: what has to be so, for the error.
    ///   - accepts: whether it is so for an entity.
    public init(_ rule: String, _ accepts: @escaping @Sendable (Checked) -> Bool) {
      self.rule = rule
      self.accepts = accepts
    }

    /// Returns a violation for each inserted or changed entity that the rule does not accept.
    /// - Complexity: O(*k*) in the number of those entities.
    public func violations<Storage: NormalizedStorageType>(
      name: String, in outcome: BatchOutcome<Storage>
    ) -> [BatchViolation] {
      outcome.changes.changes(of: Checked.self).written.compactMap { violation(name: name, of: $0) }
    }

    func violation(name: String, of entity: Checked) -> BatchViolation? {
      accepts(entity)
        ? nil : .brokenCheck(check: name, rule: rule, entity: EntityLabel(entity.entityID))
    }
  }

  /// A rule for a database as a whole, asked of every batch that changes something.
  public struct Batch<Checked: NormalizedStorageType>: CheckType {
    /// What has to be so.
    public let rule: String
    private let accepts: @Sendable (BatchOutcome<Checked>) -> Bool

    /// Creates a rule.
    /// - Parameters:
    ///   - rule: what has to be so, for the error.
    ///   - accepts: whether it is so for the database before and after the batch, and for the changes
    ///     between the two.
    public init(_ rule: String, _ accepts: @escaping @Sendable (BatchOutcome<Checked>) -> Bool) {
      self.rule = rule
      self.accepts = accepts
    }

    /// Returns a violation when the rule does not accept the batch.
    public func violations<Storage: NormalizedStorageType>(
      name: String, in outcome: BatchOutcome<Storage>
    ) -> [BatchViolation] {
      if outcome.changes.isEmpty { return [] }
      return violation(name: name, of: outcome).map { [$0] } ?? []
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

/// A check of a database as a whole, which can be asked of a version too.
protocol StorageCheck: CheckType {
  /// Returns what the outcome breaks, even where it changes nothing.
  func violation<Storage: NormalizedStorageType>(
    name: String, of outcome: BatchOutcome<Storage>
  ) -> BatchViolation?
}

extension Checks.Batch: StorageCheck {}

extension TableChanges {
  /// The entities that were inserted or updated, as they are now.
  var written: [Entity] { inserted + updated.map(\.new) }
}
