import EntiaCoding
import EntiaJSON

/// One import, from the bytes of its inputs to a new version of the database.
///
/// ``execute()`` lists the phases in their order, and ``finish()`` writes the staged rows. In this
/// folder a *record* is an object of an input, an *entity* is a type of records, and a *row* is
/// what is stored in the entity's table under an ID. Several records may have the ID of one row.
struct ImportRun {
  /// An input, with the information that is collected before its records are read.
  struct Input {
    var source: ImportSource
    var format: ImportFormat?
    /// The entity of the records, if the input's name or the options define it.
    var entity: String?
    var tables = TablesLayout()
    /// Whether it is a response that has errors instead of data.
    var hasErrors = false
    /// Whether it was read and has no records.
    var isEmpty = false
  }

  let options: ImportOptions
  let stage: ImportStage
  var inputs: [Input]
  let recordReader: RecordReader

  /// The rows in the `result` of tables, with the origins of the IDs.
  var results: [(entity: String, key: RecordKey, origin: Origin)] = []
  /// The number of results whose rows have been marked as rows of the top level.
  var markedResults = 0
  /// Whether the current input is the output of a database, and its rows that are at the top level
  /// according to the options.
  var readsDatabase = false
  var deferredRoots: [(entity: EntityStage, position: Int)] = []
  /// The model that each entity is named after, for Django's records.
  var models: [ExactString: String] = [:]
  /// The names that several models of different apps share. Their entities have the models' names.
  let sharedModelNames: Set<ExactString>
  /// The shared names that were found while reading.
  var foundSharedModelNames: Set<ExactString> = []
  /// The models whose names are entities of a schema that another model has too.
  var ambiguousModels: Set<ExactString> = []
  /// The schema of the options, the database and the inputs, before records are read.
  var mergedSchema = Schema()
  /// The relationships found in the inputs themselves.
  var discovered: [(entity: EntityStage, relationship: Schema.Relationship)] = []
  /// The number of occurrences of parts that belong to no row, such as `links`, by name.
  var ignored: [String: Int] = [:]
  /// The number of tables read so far, to detect rows that one table contains twice.
  var tableCount: Int32 = 0
  /// The number of bytes of the completed inputs.
  var bytesRead = 0

  init(
    _ sources: [ImportSource], into base: RecordDatabase, options: ImportOptions,
    sharedModelNames: Set<ExactString> = []
  ) {
    self.options = options
    self.sharedModelNames = sharedModelNames
    inputs = sources.map { Input(source: $0) }
    stage = ImportStage(base: base, policy: options.onConflict, merging: options.merging)
    recordReader = RecordReader(stage: stage)
  }

  /// Reads all inputs and checks them as a whole: first the formats and schemas, then the records,
  /// so that the order of the inputs does not matter.
  mutating func execute() {
    recognizeFormats()
    mergeSchemas()
    convertStoredRows()
    convertCSV()
    readRecords()
    inferDjangoRelationships()
    convertEarlyValues()
    check()
    storeTypes()
    addHints()
  }
}
