@_exported public import EntiaCoding
public import EntiaDatabase
public import Foundation

/// The result of an import of entities of Swift types.
public struct TypedImport<Storage: NormalizedStorageType, Root: EntityType> {
  /// The database with the entities added; nil if any problem is an error.
  public let database: Storage?
  /// The counts of records and entities, and the problems.
  public let report: ImportReport
  /// The IDs of the entities at the top level, in input order and without duplicates; empty if the
  /// import failed.
  public let rootIDs: [Root.EntityID]

  /// Returns the database, or throws all problems.
  @usableFromInline
  func accepted() throws -> Storage {
    guard let database else { throw ImportProblems(report.problems) }
    return database
  }
}

/// Imports JSON into a database: all of it, or nothing.
public enum Importer {}

extension Importer {
  /// Imports JSON into a database of Swift types, by their `Codable` conformances alone.
  ///
  /// ```swift
  /// let result = Importer.importing([source], of: Post.self, into: Blog())
  /// if let blog = result.database { … } else { print(result.report.text()) }
  /// ```
  ///
  /// A property may be an ID of an entity, an optional ID or an array of IDs. If the JSON has an
  /// object in the place of an ID, the object is imported as that entity and replaced by its ID, at
  /// any depth. No further configuration is necessary. A property such as `authorID` or
  /// `commentIDs` is also decoded from an object `author` or an array of objects `comments`.
  ///
  /// If the type does not decode a member with the name of another table, the member contains the
  /// children of the record: an array of objects, or a single one. Each child is imported as an
  /// entity of that table, with a key that refers to the record. Exactly one relationship must lead
  /// from the table of the children to the table of the record. Any other member that contains
  /// objects and is not decoded is counted in ``ImportReport/ignored``, and is an error of a strict
  /// import.
  /// - Parameters:
  ///   - sources: The inputs, in any ``ImportFormat`` except CSV.
  ///   - root: The entity at the top level.
  ///   - database: The database to add to.
  ///   - options: The spelling of names, the format of dates, and the treatment of conflicts.
  /// - Returns: The report with all problems, and the database with the entities added in one
  ///   batch. The database is nil if any problem is an error.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importing<Storage: NormalizedStorageType, Root: EntityType & Decodable>(
    _ sources: [ImportSource], of root: Root.Type, into database: Storage,
    options: TypedImportOptions = TypedImportOptions()
  ) -> TypedImport<Storage, Root> {
    // Inlined into the module that has the types, together with the code for each entity.
    run(sources, of: root, TypedStages(database, options))
  }

  /// Imports JSON into a database of Swift types, and merges entities with the same ID. An imported
  /// entity is merged with the entity in the database, or with an earlier entity in the inputs.
  ///
  /// ```swift
  /// let page = Importer.importing(
  ///   [source], of: Post.self, into: blog,
  ///   merging: .keeping(\.isRead), MergePolicy<Author>.replace)
  /// ```
  ///
  /// - Parameters:
  ///   - sources: The inputs, in any ``ImportFormat`` except CSV.
  ///   - root: The entity at the top level.
  ///   - database: The database to add to.
  ///   - policy: The merge policy of the type `Root`, at the top level and in nested records.
  ///   - others: The merge policies of other entities. A type that is not listed is merged by its
  ///     own policy, if it is a `MergingEntityType`, and otherwise by the options' `onConflict`.
  ///   - options: The spelling of names, the format of dates, and the treatment of other conflicts.
  /// - Returns: The same as ``importing(_:of:into:options:)``.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importing<
    Storage: NormalizedStorageType, Root: EntityType & Decodable, each Other: EntityType
  >(
    _ sources: [ImportSource], of root: Root.Type, into database: Storage,
    merging policy: MergePolicy<Root>, _ others: repeat MergePolicy<each Other>,
    options: TypedImportOptions = TypedImportOptions()
  ) -> TypedImport<Storage, Root> {
    importing(
      sources, of: root, into: database,
      options: options.merging(policy, repeat each others))
  }

  @usableFromInline
  static func run<Storage: NormalizedStorageType, Root: EntityType & Decodable>(
    _ sources: [ImportSource], of root: Root.Type, _ stages: TypedStages<Storage>
  ) -> TypedImport<Storage, Root> {
    var run = TypedImportRun(sources, stages)
    let ids = run.read(root)
    let (result, report) = run.finish()
    return TypedImport(database: result, report: report, rootIDs: result == nil ? [] : ids)
  }

  /// Imports tables. Each input is an object with a member for each table. The member has the name
  /// of the table, and contains an array of entities, or an object of entities by ID, which may
  /// lack their member `id`. The entities may contain nested entities as well.
  ///
  /// - Returns: The report with all problems, and the database with the entities added in one
  ///   batch. The database is nil if any problem is an error.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importingTables<Storage: NormalizedStorageType>(
    _ sources: [ImportSource], into database: Storage,
    options: TypedImportOptions = TypedImportOptions()
  ) -> (database: Storage?, report: ImportReport) {
    runTables(sources, TypedStages(database, options))
  }

  @usableFromInline
  static func runTables<Storage: NormalizedStorageType>(
    _ sources: [ImportSource], _ stages: TypedStages<Storage>
  ) -> (database: Storage?, report: ImportReport) {
    var run = TypedImportRun(sources, stages)
    run.readTables()
    return run.finish()
  }
}

extension NormalizedStorageType {
  /// Imports JSON into the database, all or nothing.
  ///
  /// If the time at which the JSON was received is given, every `Indexes.Age` records it for the
  /// rows that occur in the JSON, even for unchanged ones. By default, a received row then replaces
  /// an existing one. An existing row that was received later is kept with its time.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity at the top level.
  ///   - time: The time at which the JSON was received; `nil` to record none.
  ///   - options: The spelling of names, the format of dates, and the treatment of conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with all problems; the database is then unchanged.
  /// - Complexity: O(bytes of the input), plus O(log *n*) for each row if a time is given.
  @inlinable
  @discardableResult
  public mutating func importJSON<Root: EntityType & Decodable>(
    _ source: ImportSource, of root: Root.Type, receivedAt time: Date? = nil,
    options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    let result = Importer.importing(
      [source], of: root, into: self, options: options.receiving(at: time))
    self = try result.accepted()
    return result.report
  }

  /// Imports JSON into the database, all or nothing, and merges each entity with the existing
  /// entity that has the same ID.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity at the top level.
  ///   - policy: The merge policy of the type `Root`, at the top level and in nested records.
  ///   - others: The merge policies of other entities. A type that is not listed is merged by its
  ///     own policy, if it is a `MergingEntityType`, and otherwise by the options' `onConflict`.
  ///   - options: The spelling of names, the format of dates, and the treatment of other conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with all problems; the database is then unchanged.
  /// - Complexity: O(bytes of the input).
  @inlinable
  @discardableResult
  public mutating func importJSON<Root: EntityType & Decodable, each Other: EntityType>(
    _ source: ImportSource, of root: Root.Type, merging policy: MergePolicy<Root>,
    _ others: repeat MergePolicy<each Other>, options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    try importJSON(source, of: root, options: options.merging(policy, repeat each others))
  }
}

// Imports of JSON that was received at a given time. `Indexes.Age` and `Indexes.Responses` store
// the time.
extension NormalizedStorageType {
  /// Imports JSON that answers a request into the database, all or nothing.
  ///
  /// ```swift
  /// try feed.importJSON(page, of: Post.self, answering: FeedRequest.home, receivedAt: now)
  /// feed.answers.ids(for: .home)
  /// ```
  ///
  /// The entities at the top level are recorded as the answer, or as a page of it. In all other
  /// respects, this is the same as `importJSON(_:of:receivedAt:options:)`. The database must have
  /// exactly one `Indexes.Responses` of the types of the request and of the root. Otherwise, the
  /// process stops with a message.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity at the top level.
  ///   - request: The request.
  ///   - cursor: The cursor with which the page was requested; `nil` for the first page. A page to
  ///     which no other page leads is not recorded, but its rows are imported.
  ///   - next: The cursor of the next page; `nil` when there is none.
  ///   - time: The time at which the JSON was received.
  ///   - options: The spelling of names, the format of dates, and the treatment of conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with all problems, and the errors that a batch throws; the
  ///   database is then unchanged.
  /// - Complexity: O(bytes of the input), plus O(log *n*) for each row.
  @inlinable
  @discardableResult
  public mutating func importJSON<
    Root: EntityType & Decodable, Request: Hashable & Codable & Sendable
  >(
    _ source: ImportSource, of root: Root.Type, answering request: Request,
    after cursor: String? = nil, next: String? = nil, receivedAt time: Date,
    options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    let result = Importer.importing(
      [source], of: root, into: self, options: options.receiving(at: time))
    var database = try result.accepted()
    try database.record(result.rootIDs, for: request, after: cursor, next: next, at: time)
    self = database
    return result.report
  }

  @usableFromInline
  mutating func record<Root: EntityType, Request: Hashable & Codable & Sendable>(
    _ ids: [EntityIdentifier<Root>], for request: Request, after cursor: String?, next: String?,
    at time: Date
  ) throws {
    try performBatchUpdates { (context) throws -> Void in
      context.receive(ids, for: request, after: cursor, next: next, at: time)
    }
  }
}

extension TypedImportOptions {
  /// Returns the options for records that were received at a time.
  @usableFromInline
  func receiving(at time: Date?) -> Self {
    var options = self
    options.receivedAt = time
    return options
  }
}
