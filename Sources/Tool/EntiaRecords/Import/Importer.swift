public import EntiaCoding
public import EntiaDatabase
@_exported public import EntiaJSON

extension Importer {
  /// Imports several inputs together. Their order matters only if they contradict each other and
  /// the options select one of the values.
  ///
  /// - Parameters:
  ///   - sources: The inputs.
  ///   - database: The database to add rows to; nil to create one.
  ///   - options: The options.
  /// - Returns: The report with all problems, and the database with the rows added. The database is
  ///   nil if any problem is an error.
  /// - Complexity: O(bytes of the inputs), plus sorting of members and problems.
  public static func importing(
    _ sources: [ImportSource], into database: RecordDatabase?, options: ImportOptions
  ) -> (database: RecordDatabase?, report: ImportReport) {
    let base = database ?? RecordDatabase()
    var run = ImportRun(sources, into: base, options: options)
    run.execute()
    if !run.foundSharedModelNames.isEmpty {
      // Several models share a name. This is rare, and is known only after all records are read, so
      // the import runs again.
      run = ImportRun(
        sources, into: base, options: options, sharedModelNames: run.foundSharedModelNames)
      run.execute()
    }
    return run.finish(replacing: database)
  }
}

/// Options of an import.
public struct ImportOptions: Sendable {
  /// The format of the inputs.
  public var format: ImportFormat
  /// The entities and relationships of the inputs.
  public var schema: Schema?
  /// The entity at the top level of an input.
  public var root: String?
  /// The path of the records in each input, such as `$.results`; nil for the whole input.
  public var at: JSONPath?
  /// The treatment of a row that occurs again with a different value of a member.
  public var onConflict: ConflictPolicy
  /// The merge policies of entities, by name. A policy merges a record with the row that has the
  /// same ID. This row is in the database, or occurred earlier in the inputs. Entities without a
  /// policy use ``onConflict``. A name that is no entity is a problem.
  public var merging: [String: MergePolicy<Record>]
  /// Whether warnings about the inputs, such as dangling references, also stop the import. A
  /// warning about the schema does not.
  public var strict: Bool
  /// A closure that is called with the progress, about once for each megabyte. It is called only
  /// for inputs that are read in pieces.
  public var onProgress: (@Sendable (ImportProgress) -> Void)?

  /// Whether JSON documents of several formats are imported together, if the format is
  /// `ImportFormat.auto`. If `false`, a document in another format than the first document stops
  /// the import, because it may be the error page of a server among pages of records.
  package var mixesFormats = false

  /// The byte between the fields of CSV; nil to recognize it in the first line of each input.
  package var separator: UInt8?

  /// CSV inputs that are not imported, but whose values also determine the types of the columns. If
  /// several CSV inputs are imported one by one, equal texts in them thereby become equal values.
  package var typedBeside: [ImportSource] = []

  /// Whether a new database builds the index from rows to their holders only when a row changes.
  /// Until then, ``RecordDatabase/holders(of:)`` examines every row.
  package var defersLinks = false

  /// Whether two values of a member count as equal if a program stores them alike in a column:
  /// `true` and 1, numbers of the same value, a date as a number of seconds and as text, and a
  /// decimal number as text. The first of the two is kept.
  package var comparesAsStored = false

  /// Creates options.
  public init(
    format: ImportFormat = .auto, schema: Schema? = nil, root: String? = nil,
    onConflict: ConflictPolicy = .error, merging: [String: MergePolicy<Record>] = [:],
    strict: Bool = false,
    onProgress: (@Sendable (ImportProgress) -> Void)? = nil
  ) {
    self.format = format
    self.schema = schema
    self.root = root
    self.onConflict = onConflict
    self.merging = merging
    self.strict = strict
    self.onProgress = onProgress
  }
}

extension RecordDatabase {
  /// Reads tables from the output of ``write()``, or similar text, with or without a schema.
  ///
  /// - Returns: The report, whose warnings list the dangling references, and the database. The
  ///   database is nil if any problem is an error.
  /// - Complexity: O(bytes), plus sorting of members and problems.
  public static func read(
    _ source: ImportSource
  ) -> (database: RecordDatabase?, report: ImportReport) {
    Importer.importing([source], into: nil, options: ImportOptions(format: .tables))
  }

  /// Reads and verifies tables. Here, dangling references are also errors.
  ///
  /// - Returns: The report; its problems have the paths of the input.
  /// - Complexity: O(bytes), plus sorting of members and problems.
  package static func verifying(_ source: ImportSource) -> ImportReport {
    var options = ImportOptions(format: .tables, strict: true)
    // Only the report of the import is used. The index of holders is not built, because it derives
    // from the rows and cannot have problems of its own.
    options.defersLinks = true
    return Importer.importing([source], into: nil, options: options).report
  }
}

extension Schema {
  /// Reads a schema from an input: a schema file, or a database that contains a schema.
  ///
  /// - Parameter source: The input. Of a database, only the schema is read.
  /// - Returns: The schema, or all of its problems with their positions.
  /// - Complexity: O(length of the schema's text), plus sorting.
  package static func read(_ source: ImportSource) -> Result<Schema, ImportProblems> {
    let layout = source.withWindow { TablesLayout($0) }
    if layout.isDatabase, let text = layout.schema {
      return parse(text.bytes, file: source.name, at: .root.name("schema"))
    }
    do {
      return parse(try source.contents(), file: source.name)
    } catch {
      return .failure(ImportProblems([ImportProblem(unreadable: source.name, error)]))
    }
  }
}
