public import EntiaDatabase

/// What an import of entities of Swift types gave.
public struct TypedImport<Storage: NormalizedStorageType, Root: EntityType> {
  /// The database with the entities added; nil if any problem is an error.
  public let database: Storage?
  /// What was read, what became of it, and what is wrong.
  public let report: ImportReport
  /// The IDs of the entities at the top level, in the order they stand there, each once.
  public let rootIDs: [Root.EntityID]

  /// The database, or everything that is wrong thrown.
  @usableFromInline
  func accepted() throws -> Storage {
    guard let database else { throw ImportProblems(report.problems) }
    return database
  }
}

extension Importer {
  /// Imports nested JSON into a database of Swift types, by their `Codable` conformances alone.
  ///
  /// ```swift
  /// let result = Importer.importing([source], of: Post.self, into: Blog())
  /// if let blog = result.database { … } else { print(result.report.text()) }
  /// ```
  ///
  /// A property that is an ID of an entity, an optional one or an array of them, takes the ID where
  /// one stands. Where an object stands, the object is imported as that entity, and its ID is taken;
  /// so at any depth. Nothing else has to be said. A property such as `authorID` or `commentIDs` is
  /// also read from an object `author` or a list of objects `comments`.
  ///
  /// A member that the type does not decode, and that carries the name of another table, holds the
  /// children of the record: an array of objects, or one. Each is imported as an entity of that
  /// table, whose key names the record, through the one relationship from there to here. Any other
  /// member that holds objects and is not decoded is counted in ``ImportReport/ignored``, and is an
  /// error of a strict import.
  ///
  /// - Parameters:
  ///   - sources: the inputs: each an array of the entities, one of them, or one a line.
  ///   - root: the entity that stands at the top level.
  ///   - database: the database to add to.
  ///   - options: how names and dates are spelled, and what to do with conflicts.
  /// - Returns: the database with the entities added in one batch, or nil if anything is wrong; and
  ///   the report, which lists all problems.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importing<Storage: NormalizedStorageType, Root: EntityType & Decodable>(
    _ sources: [ImportSource], of root: Root.Type, into database: Storage,
    options: TypedImportOptions = TypedImportOptions()
  ) -> TypedImport<Storage, Root> {
    // What is done for every entity is compiled here, where the types are known.
    run(sources, of: root, TypedStages(database, options))
  }

  /// Imports nested JSON into a database of Swift types, and merges entities with those that have
  /// their IDs already: in the database, or earlier in the inputs.
  ///
  /// ```swift
  /// let page = Importer.importing(
  ///   [source], of: Post.self, into: blog,
  ///   merging: .keeping(\.isRead), MergePolicy<Author>.replace)
  /// ```
  ///
  /// - Parameters:
  ///   - sources: The inputs: each an array of the entities, one of them, or one a line.
  ///   - root: The entity that stands at the top level.
  ///   - database: The database to add to.
  ///   - policy: How entities of the top level's type are merged, wherever they stand.
  ///   - others: How entities of other types are merged. A type without a policy follows its own, if
  ///     it is a `MergingEntityType`, or the options' `onConflict`.
  ///   - options: How names and dates are spelled, and what to do with other conflicts.
  /// - Returns: What ``importing(_:of:into:options:)`` returns.
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

  /// Imports tables: an object with an array of entities, or an object of them by ID, under the name
  /// of each table. Entities may nest others there as well.
  ///
  /// - Returns: what ``importing(_:of:into:options:)`` does.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importingTables<Storage: NormalizedStorageType>(
    _ sources: [ImportSource], into database: Storage,
    options: TypedImportOptions = TypedImportOptions()
  ) -> (database: Storage?, report: ImportReport) {
    runTables(sources, TypedStages(database, options))
  }

  /// Imports tables, and merges entities with those that have their IDs already.
  ///
  /// - Parameters:
  ///   - sources: The inputs: each an object of tables.
  ///   - database: The database to add to.
  ///   - policy: How entities of one type are merged.
  ///   - others: How entities of other types are merged. A type without a policy follows its own, if
  ///     it is a `MergingEntityType`, or the options' `onConflict`.
  ///   - options: How names and dates are spelled, and what to do with other conflicts.
  /// - Returns: What ``importing(_:of:into:options:)`` returns.
  /// - Complexity: O(bytes of the inputs).
  @inlinable
  public static func importingTables<
    Storage: NormalizedStorageType, Entity: EntityType, each Other: EntityType
  >(
    _ sources: [ImportSource], into database: Storage, merging policy: MergePolicy<Entity>,
    _ others: repeat MergePolicy<each Other>, options: TypedImportOptions = TypedImportOptions()
  ) -> (database: Storage?, report: ImportReport) {
    importingTables(
      sources, into: database, options: options.merging(policy, repeat each others))
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
  /// Imports nested JSON into the database, all or nothing.
  ///
  /// - Returns: the report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with everything that is wrong; the database is then as it was.
  /// - Complexity: O(bytes of the input).
  @inlinable
  @discardableResult
  public mutating func importJSON<Root: EntityType & Decodable>(
    _ source: ImportSource, of root: Root.Type, options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    let result = Importer.importing([source], of: root, into: self, options: options)
    self = try result.accepted()
    return result.report
  }

  /// Imports nested JSON into the database, all or nothing, and merges entities with those that have
  /// their IDs already.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity that stands at the top level.
  ///   - policy: How entities of the top level's type are merged, wherever they stand.
  ///   - others: How entities of other types are merged. A type without a policy follows its own, if
  ///     it is a `MergingEntityType`, or the options' `onConflict`.
  ///   - options: How names and dates are spelled, and what to do with other conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with everything that is wrong; the database is then as it was.
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
