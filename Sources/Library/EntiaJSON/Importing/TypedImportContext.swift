import EntiaCoding
public import EntiaDatabase
public import Foundation

/// The state shared by all parts of one typed import.
@usableFromInline
final class TypedImportContext {
  let options: TypedImportOptions
  /// Whether a repeated record may be skipped: false if an entity type has a merge policy.
  private(set) var trustsRepeats = true
  // Exclusivity is unchecked, because every entity accesses these properties. An import runs on
  // one thread, and its accesses do not overlap.
  @exclusivity(unchecked) private(set) var counts = ImportCounts()
  @exclusivity(unchecked) var problems = ProblemList()
  /// The number of ignored members, by table and member.
  private(set) var ignored: [String: Int] = [:]
  @exclusivity(unchecked) private(set) var ignoredCount = 0
  /// The index of the current input.
  @exclusivity(unchecked) var file = 0
  /// The first Django model of each table. `isNamed` is `true` if the whole name of the model, such
  /// as `blog.post`, selects the table, and `false` if only the last part of the name does.
  private var models: [String: (model: String, isNamed: Bool)] = [:]

  @usableFromInline
  init(_ options: TypedImportOptions) {
    self.options = options
  }

  /// The time at which the records were received, if the import has one.
  @usableFromInline
  var receptionTime: Date? { options.receivedAt }

  /// Whether the records were received before a time.
  @usableFromInline
  func precedes(_ time: Date) -> Bool { options.receivedAt.map { $0 < time } ?? false }

  /// Returns the merge policy of an entity type; nil if ``ConflictPolicy`` applies.
  @usableFromInline
  func policy<Entity: EntityType>(of type: Entity.Type) -> MergePolicy<Entity>? {
    let policy = options.merging.policy(of: type)
    // With a policy, a repeated text cannot be trusted to produce an equal row. The row may have
    // been merged with another record since the text was first read.
    if policy != nil { trustsRepeats = false }
    return policy
  }

  /// Returns the default values of members that records of an entity lack.
  @usableFromInline
  func defaults<Entity: EntityType>(of type: Entity.Type) -> [String: any Sendable] {
    options.defaults[ObjectIdentifier(type)] ?? [:]
  }

  func origin(_ offset: Int) -> Origin { Origin(file: file, offset: offset) }

  /// Returns the origin of a node.
  @usableFromInline
  func origin(of node: Int, _ run: DecodingRun) -> Origin { origin(run.tape.nodes[node].start) }

  // MARK: Counts

  /// Counts a record that is read, and returns its origin.
  @usableFromInline
  func beginRecord(_ node: Int, _ run: DecodingRun) -> Origin {
    counts.read += 1
    return origin(of: node, run)
  }

  /// Runs a body that decodes a record again: its counts and problems are dropped.
  @usableFromInline
  func withoutCounting<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (counts, problems) = (counts, problems)
    defer { (self.counts, self.problems) = (counts, problems) }
    return try body()
  }

  /// Counts a record that is refused before it is decoded; the problem has already been reported.
  func countRejected() { counts.read += 1 }

  @usableFromInline
  func countInserted() { counts.inserted += 1 }

  func countUpdated() { counts.updated += 1 }

  @usableFromInline
  func countUnchanged() { counts.unchanged += 1 }

  func countRepeated(_ records: Int) {
    counts.read += records
    counts.unchanged += records
  }

  /// Whether different records with the same ID are problems.
  var refusesConflicts: Bool {
    switch options.conflictPolicy {
    case .error, .merge: true
    case .keep, .replace: false
    }
  }

  /// Resolves a conflict with an earlier entity that has the same ID and other content.
  ///
  /// - Parameter row: Returns the table and the ID of the entity.
  /// - Returns: Whether the entity replaces the earlier one.
  @usableFromInline
  func resolveConflict(
    at origin: Origin, other: Origin, row: () -> (table: String, id: String)
  ) -> Bool {
    switch options.conflictPolicy {
    case .error, .merge:
      let (table, id) = row()
      problems.add(
        .conflict, at: origin, other: other, "\(table) \(id) differs from the one in",
        cause: ImportProblem.Cause(entity: table, "the row differs from an earlier one"),
        advice: "; pass a MergePolicy for it as merging:, or set onConflict to .replace or .keep")
    case .keep: counts.unchanged += 1
    case .replace:
      counts.updated += 1
      return true
    }
    return false
  }

  // MARK: Models

  /// Returns the first Django model of a table, if rows of `model` must not be added to the table.
  /// Stores `model` as the first model if the table has none.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - model: The name of the model, with its app, such as `blog.post`.
  ///   - isNamed: Whether the whole name of the model selects the table, and not only the last
  ///     part.
  /// - Returns: The first model of the table. `nil` if `model` is the first model, or if the whole
  ///   names of both models select the table.
  func otherModel(of table: String, besides model: String, isNamed: Bool) -> String? {
    guard let first = models[table] else {
      models[table] = (model, isNamed)
      return nil
    }
    return first.model.isExactly(model) || first.isNamed && isNamed ? nil : first.model
  }

  // MARK: Problems

  /// Counts a member that is not imported. In a strict import, the first member with each name is
  /// reported as a problem.
  func ignore(_ name: String, at origin: Origin, _ message: () -> String) {
    ignoredCount += 1
    ignored[name, default: 0] += 1
    guard options.strict, ignored[name] == 1 else { return }
    problems.add(.unknownEntity, at: origin, message())
  }

  /// Counts the plain members of a record as ignored. A plain member has the short name of a
  /// reference, but contains no objects. IDs are read only under the whole name of the reference.
  @usableFromInline
  func ignorePlainMembers(in record: Int, table: String, _ run: DecodingRun) {
    for plain in run.takePlainMembers(in: record) {
      let member = run.text(plain.value - 1)
      ignore("\(table).\(member)", at: origin(of: plain.value, run)) {
        "\(member.quoted) of \(table) is not imported: \(plain.reference) is read from it only if it "
          + "contains objects; give the property the name \(member.quoted) in records"
      }
    }
  }

  /// Counts a part of an input that does not belong to a record, such as `links`.
  func countIgnored(_ name: String) { ignored[name, default: 0] += 1 }

  /// Reports a reference to an entity that does not exist.
  @usableFromInline
  func reportDangling(at origin: Origin, to entity: () -> String) {
    problems.add(
      .danglingReference, at: origin, severity: .warning,
      "this refers to \(entity()), which does not exist")
  }

  /// Thrown when a problem has been reported, so that the enclosing records are skipped without
  /// another report.
  struct AlreadyReported: Error {}

  /// Whether the problem of an error has been reported.
  @usableFromInline
  func isReported(_ error: any Error) -> Bool { error is AlreadyReported }

  /// Reports a problem of a record, and returns the error to throw.
  @usableFromInline
  func refuse(_ kind: ImportProblem.Kind, at origin: Origin, _ message: String) -> any Error {
    problems.add(kind, at: origin, message)
    return AlreadyReported()
  }

  /// Returns advice on a missing reference, or an empty text. There is advice if the record has a
  /// member with the short name of the reference, and this member contains no objects.
  private func advice(on reference: String, in object: Int, _ run: DecodingRun) -> String {
    let plain = run.takePlainMembers(in: object).first { $0.reference == reference }
    guard let plain else { return "" }
    let member = run.text(plain.value - 1).quoted
    return "; \(member) is read in its place only if it contains objects; give the property the "
      + "name \(member) in records"
  }

  /// Reports the reason why a record cannot be decoded, unless a record inside it has already been
  /// reported.
  @usableFromInline
  func report(
    _ error: any Error, _ run: DecodingRun, table: String, recordAt node: Int
  ) -> any Error {
    if error is AlreadyReported { return AlreadyReported() }
    let record = "this record of \(table)"
    guard let error = error as? DecodingError else {
      return refuse(.typeMismatch, at: origin(of: node, run), "\(record) is refused: \(error)")
    }
    switch error {
    case .keyNotFound(let key, let context):
      let place = run.node(context.codingPath)
      let name = options.keys.spelled(key.stringValue).quoted
      return refuse(
        key.stringValue == "id" && place == node ? .missingID : .typeMismatch,
        at: origin(of: place, run),
        (place == node ? "\(record) has no \(name)" : "there is no \(name)")
          + advice(on: key.stringValue, in: place, run))
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let place = run.node(context.codingPath)
      // An element of a list may be refused that is no object, and has no members to search.
      let isID =
        run.isObject(node) && place == run.find(node, "id", isReference: { false }).value
      return refuse(
        isID && run.scalarText(place) == nil ? .missingID : .typeMismatch,
        at: origin(of: place, run), context.debugDescription)
    @unknown default:
      return refuse(.typeMismatch, at: origin(of: node, run), "\(record) is refused: \(error)")
    }
  }
}
