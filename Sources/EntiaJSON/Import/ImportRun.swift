/// One import, from bytes to staged rows.
struct ImportRun {
  /// An input and what is known of it before its rows are read.
  struct Input {
    var source: ImportSource
    var format: ImportFormat?
    /// The entity of the records, where the input's name or the options say it.
    var entity: String?
    var tables = TablesLayout()
  }

  let options: ImportOptions
  let stage: ImportStage
  var inputs: [Input]
  var rowReader: RowReader

  /// The `result` of tables that were read: which rows, and where it says so.
  var results: [(entity: String, key: RecordKey, origin: Origin)] = []
  /// How many of these have been noted as rows of the top level.
  var resultsTaken = 0
  /// Whether the input that is being read is a database's own output, and the rows in it that the
  /// options call rows of the top level.
  var readsDatabase = false
  var laterRoots: [(entity: EntityStage, position: Int)] = []
  /// The model that gave each entity its name, in Django's rows.
  var models: [ExactString: String] = [:]
  /// The relationships that the inputs themselves showed.
  var learned: [(entity: EntityStage, relationship: Schema.Relationship)] = []
  /// How often something was met that is no part of a row, such as `links`.
  var ignored: [String: Int] = [:]
  /// The tables read so far, to tell a row that one table lists twice.
  var tableCount: Int32 = 0
  /// The bytes of the inputs that were read to their end.
  private var bytesRead = 0

  init(_ sources: [ImportSource], into base: RecordDatabase, options: ImportOptions) {
    self.options = options
    inputs = sources.map { Input(source: $0) }
    stage = ImportStage(base: base, policy: options.onConflict, merging: options.merging)
    rowReader = RowReader(stage: stage)
  }

  /// Reads all inputs: first what they are and their schemas, then their rows, so that the order of
  /// the inputs does not matter.
  mutating func run() {
    recognizeFormats()
    gatherSchemas()
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
      // What follows the one value is an error, and the end is none.
      _ = try reader.next()
    } catch {
      // What was cut short by the system is not the text's fault.
      if window.failure == nil { addMalformed(error) }
    }
  }

  /// Reads to the end of the value that the records are in, and reports the names of the path that
  /// come again: which of two members has the records is not known.
  func ascend(_ reader: inout JSONReader) throws(JSONError) {
    guard let path = options.at else { return }
    for offset in try reader.ascend(from: path) { addDuplicate(at: offset) }
  }

  /// Tells that the bytes of an input could not be had.
  func addUnreadable(_ failure: any Error) {
    stage.problems.add(
      ImportProblem(
        file: inputs[stage.file].source.name, path: JSONPath.root.description, kind: .unreadable,
        message: "the input cannot be read to its end: \(failure)"), file: stage.file)
  }

  /// Lists that there are no records where the options look for them.
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
