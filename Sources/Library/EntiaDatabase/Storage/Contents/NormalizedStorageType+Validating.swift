extension NormalizedStorageType {
  /// Creates a database from tables, and checks them by the same rules as batches.
  ///
  /// ```swift
  /// var contents = Library.Contents()
  /// contents.authors = Tables.Hash(authors)
  /// contents.books = Tables.Hash(books)
  /// let library = try Library(validating: contents)
  /// ```
  ///
  /// Relationships and indexes are built from the rows; their previous contents are discarded.
  /// `finalizeTransaction` is not called, because it belongs to batches. A key may reference a
  /// missing entity, unless its relationship is `.required()`.
  ///
  /// Checks of entities are applied to every row. Checks of batches are applied to a batch that
  /// leaves the rows unchanged, so that they check the rows and no change.
  ///
  /// - Parameter contents: The tables.
  /// - Throws: `BatchError.refused` with every rule that the rows violate: unique keys, checks,
  ///   required references and counts.
  /// - Complexity: O(*n*) in the number of rows.
  public init(validating contents: Contents) throws {
    self.init()
    let version = Snapshot(rebuilding: contents)
    var rules = StorageRuleVerifier<Self>(version)
    Contents.visitParts(&rules)
    let violations = version.brokenRules() + rules.violations
    guard violations.isEmpty else { throw BatchError.refused(violations) }
    snapshot = version
  }
}

/// Checks a version against the rules of a database as a whole.
private struct StorageRuleVerifier<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let outcome: BatchOutcome<Storage>
  var violations: [BatchViolation] = []

  init(_ version: Snapshot<Contents>) {
    outcome = BatchOutcome(from: version, to: version)
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    guard let check = outcome.result.contents[keyPath: path] as? any StorageCheck else { return }
    if let violation = check.violation(name: name, of: outcome) { violations.append(violation) }
  }
}

extension Snapshot {
  /// Returns the rules that the rows violate, without the checks of batches as a whole.
  /// - Complexity: O(*n*); O(parts) when all tables are empty.
  func brokenRules() -> [BatchViolation] {
    var search = FilledTableSearch(contents: contents)
    Contents.visitParts(&search)
    if !search.hasRows { return [] }
    var rules = RuleVerifier(snapshot: self, checksReferences: true)
    Contents.visitParts(&rules)
    return rules.violations
  }
}

private struct FilledTableSearch<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  var hasRows = false

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if contents[keyPath: path].count > 0 { hasRows = true }
  }
}
