/// One import, from the bytes of its inputs to staged rows.
struct ImportRun {
  /// An input, with the information that is collected before its rows are read.
  struct Input {
    var source: ImportSource
    var format: ImportFormat?
    /// The entity of the records, if the input's name or the options define it.
    var entity: String?
    var tables = TablesLayout()
  }

  let options: ImportOptions
  let stage: ImportStage
  var inputs: [Input]
  var rowReader: RecordReader

  /// The rows in the `result` of tables, with the origins of the IDs.
  var results: [(entity: String, key: RecordKey, origin: Origin)] = []
  /// The number of these that have been marked as rows of the top level.
  var resultsTaken = 0
  /// Whether the current input is the output of a database, and its rows that are at the top level
  /// according to the options.
  var readsDatabase = false
  var laterRoots: [(entity: EntityStage, position: Int)] = []
  /// The model that each entity is named after, for Django's rows.
  var models: [ExactString: String] = [:]
  /// The names that several models of different apps share. Their entities have the models' names.
  let sharedModelNames: Set<ExactString>
  /// The shared names that were found while reading.
  var foundSharedModelNames: Set<ExactString> = []
  /// The models whose names are entities of a schema that another model has too.
  var ambiguousModels: Set<ExactString> = []
  /// The schema of the options, the database and the inputs, before rows are read.
  private(set) var gatheredSchema = Schema()
  /// The relationships found in the inputs themselves.
  var learned: [(entity: EntityStage, relationship: Schema.Relationship)] = []
  /// The number of occurrences of parts that belong to no row, such as `links`, by name.
  var ignored: [String: Int] = [:]
  /// The number of tables read so far, to detect rows that one table contains twice.
  var tableCount: Int32 = 0
  /// The number of bytes of the completed inputs.
  private var bytesRead = 0

  init(
    _ sources: [ImportSource], into base: RecordDatabase, options: ImportOptions,
    sharedModelNames: Set<ExactString> = []
  ) {
    self.options = options
    self.sharedModelNames = sharedModelNames
    inputs = sources.map { Input(source: $0) }
    stage = ImportStage(base: base, policy: options.onConflict, merging: options.merging)
    rowReader = RecordReader(stage: stage)
  }

  /// Reads all inputs: first their formats and schemas, then their rows, so that the order of the
  /// inputs does not matter.
  mutating func run() {
    recognizeFormats()
    gatherSchemas()
    gatheredSchema = stage.schema
    rereadDatabase()
    prepareCSV()
    for index in inputs.indices {
      stage.file = index
      if let format = inputs[index].format, canRead(format) { read(inputs[index], as: format) }
      takeResults()
    }
    inferDjangoRelationships()
    settleLearned()
    check()
    hint()
  }

  private mutating func read(_ input: Input, as format: ImportFormat) {
    let before = bytesRead
    let progress = { [stage, onProgress = options.onProgress] (bytes: Int) in
      onProgress?(ImportProgress(bytes: before + bytes, records: stage.counts.read)) ?? ()
    }
    input.source.withWindow(progress: progress) { window in
      defer { bytesRead += window.end }
      read(window, input.tables, as: format)
      if let failure = window.failure { addUnreadable(failure) }
    }
  }

  private mutating func read(
    _ window: ByteWindow, _ tables: TablesLayout, as format: ImportFormat
  ) {
    if format == .ndjson { return readLines(window) }
    if format == .csv { return readCSV(window) }
    var reader = JSONReader(window)
    do throws(JSONError) {
      if let path = options.at, let problem = try reader.descend(to: path) {
        return addMissingPath(path, problem, at: reader.tokenStart)
      }
      switch format {
      case .nested: try readNested(&reader)
      case .tables: try readTables(&reader, tables)
      case .django: try readDjango(&reader)
      case .jsonapi: try readJSONAPI(&reader)
      case .graphql: try readGraphQL(&reader)
      case .keyed: try readKeyed(&reader)
      case .ndjson, .csv, .auto: break
      }
      try ascend(&reader)
      // Content after the one value is an error.
      _ = try reader.next()
    } catch {
      // If the system failed, the truncated text is not an error of its own.
      if window.failure == nil { addMalformed(error) }
    }
  }

  /// Reads to the end of the value that contains the records, and reports repeated names on the
  /// path, because it is ambiguous which of the members contains the records.
  func ascend(_ reader: inout JSONReader) throws(JSONError) {
    guard let path = options.at else { return }
    for offset in try reader.ascend(from: path) { addDuplicate(at: offset) }
  }

  /// Reports that the bytes of an input could not be read.
  func addUnreadable(_ failure: any Error) {
    stage.problems.add(
      ImportProblem(
        file: inputs[stage.file].source.name, path: JSONPath.root.description, kind: .unreadable,
        message: "the input cannot be read to its end: \(failure)"), file: stage.file)
  }

  /// Reports that there are no records at the path in the options.
  func addMissingPath(_ path: JSONPath, _ problem: String, at offset: Int) {
    addMismatch(at: offset, "the records are looked for at \(path), and \(problem)")
  }

  func addMalformed(_ error: JSONError) {
    stage.problems.add(
      .malformedJSON, at: stage.origin(error.offset), error.description)
  }

  func addMismatch(at offset: Int, _ message: String) {
    stage.problems.add(.typeMismatch, at: stage.origin(offset), message)
  }

  func addDuplicate(at offset: Int) {
    stage.problems.add(
      .duplicateKey, at: stage.origin(offset), "the object has this member already")
  }
}
