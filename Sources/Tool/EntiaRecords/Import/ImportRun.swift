import EntiaCoding
import EntiaJSON

/// One import, from the bytes of its inputs to a new version of the database.
///
/// ``execute()`` lists the phases in their order, and ``finish()`` writes the staged rows. In this
/// folder, a *record* is an object of an input, and an *entity* is a type of records. A *row* is
/// stored in the entity's table under an ID. Several records may have the ID of one row.
struct ImportRun {
  /// An input, with the information that is collected before its records are read.
  struct Input {
    var source: ImportSource
    var format: ImportFormat?
    /// The entity of the records, if the input's name or the options define it.
    var entity: String?
    var tables = TablesLayout()
    /// Whether the input is a response that has errors instead of data.
    var hasErrors = false
    /// Whether the input was read and has no records.
    var isEmpty = false
  }

  let options: ImportOptions
  let stage: ImportStage
  var inputs: [Input]
  let recordReader: RecordReader

  /// The rows that the inputs list as their `result`, in the format of tables, with the origins of
  /// the IDs.
  var results: [(entity: String, key: RecordKey, origin: Origin)] = []
  /// The number of leading elements of `results` whose rows `markResults` has marked as rows of the
  /// top level.
  var markedResults = 0
  /// Whether the current input is the output of a database.
  var readsDatabase = false
  /// The rows in the tables of the current input whose entity is `options.root`. `markResults`
  /// marks them as rows of the top level, after it has marked the rows in the `result` of the
  /// input.
  var deferredRoots: [(entity: EntityStage, position: Int)] = []
  /// The model that each entity is named after, for Django's records.
  var models: [ExactString: String] = [:]
  /// The names that models of several apps share. The name of the entity of such a model includes
  /// the app, such as `blog.post` in place of `post`.
  let sharedModelNames: Set<ExactString>
  /// The shared names that were found while reading.
  var foundSharedModelNames: Set<ExactString> = []
  /// The models that were reported as ambiguous. Such a model shares its name with a model of
  /// another app, and a schema has only one entity with this name.
  var ambiguousModels: Set<ExactString> = []
  /// The merged schemas of the options, the database and the inputs. Relationships that were found
  /// in records are not included.
  var mergedSchema = Schema()
  /// The relationships found in the inputs themselves.
  var discovered: [(entity: EntityStage, relationship: Schema.Relationship)] = []
  /// The number of occurrences of parts that belong to no row, such as `links`, by name.
  var ignored: [String: Int] = [:]
  /// The number of tables read so far. It identifies the current table, to detect a row that occurs
  /// twice in the table.
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
    stage = ImportStage(
      base: base, policy: options.onConflict, merging: options.merging,
      comparesAsStored: options.comparesAsStored)
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

extension ImportRun {
  /// Returns the composite ID of a record. Reports problems of its parts.
  func compositeKey(
    of entity: EntityStage, _ members: [(name: String, value: RecordValue)], at offset: Int
  ) -> RecordKey? {
    var key = SynthesizedKey()
    var isWhole = true
    for field in entity.idFields {
      let name = entity.fieldNames[field].string
      let value = members.first { $0.name.isExactly(name) }?.value
      if let part = value?.key {
        key.append(part)
        continue
      }
      isWhole = false
      var message = "this record of \(entity.name) has no \(name.quoted), which is a part of its ID"
      if let value {
        let found = if case .plain(let text) = value { text.kindDescription } else { "an array" }
        message =
          "\(name.quoted) of this record of \(entity.name) is a part of its ID: expected a number, "
          + "a string or one row, found \(found)"
      }
      add(.missingID, at: offset, message)
    }
    return isWhole ? .string(key.text) : nil
  }

  /// Returns whether a record's ID equals the composite of its members. Reports a problem if not.
  func hasSynthesizedID(
    _ id: String, _ entity: EntityStage, _ members: [(name: String, value: RecordValue)],
    at offset: Int
  ) -> Bool {
    guard !entity.idFields.isEmpty else { return true }
    guard let key = compositeKey(of: entity, members, at: offset) else { return false }
    if key.text.isExactly(id) { return true }
    addMismatch(
      at: offset,
      "the id of this record of \(entity.name) is \(id.quoted), but its members result in \(key)")
    return false
  }
}

extension RecordValue {
  /// The ID that the value is or refers to; nil if it is not an ID.
  fileprivate var key: RecordKey? {
    switch self {
    case .plain(let text): text.isKey ? text.key : nil
    case .reference(let id): id.key
    case .references: nil
    }
  }
}

extension ImportRun {
  /// Adds a hint to a refused input that resembles another format. Only refused inputs are examined
  /// again.
  mutating func addHints() {
    let refused = Set(
      stage.problems.pending.filter { $0.severity == .error && $0.kind != .usage }
        .map(\.origin.file))
    for index in inputs.indices where refused.contains(index) {
      guard let format = inputs[index].format else { continue }
      let source = inputs[index].source
      if format == .nested, options.at == nil, let hint = pathToRecords(index),
        stage.problems.pending.contains(where: {
          $0.kind == .missingID && $0.origin.file == index && $0.origin.offset == hint.start
        })
      {
        addHint(hint.text, index)
      } else if format == .graphql, options.format == .auto, options.at == nil,
        stage.counts.read == 0, !inputs[index].hasErrors, let hint = pathToRecords(index)
      {
        // The object may be no GraphQL response: only its member `data` suggested this format.
        addHint(hint.text, index)
      } else if format == .tables, Schema.looksLikeSchema(source) {
        addHint("this looks like a schema instead of data; pass a schema with --schema", index)
      } else if options.format != .auto,
        case .format(let other) = FormatGuess.guess(source, hasRoot: true, at: options.at),
        other != format,
        [.django, .jsonapi, .graphql].contains(other)
      {
        addHint(
          "this looks like \(other.rawValue), and was read as \(format.rawValue); --format auto "
            + "recognizes the format", index)
      }
    }
  }

  /// Returns a hint that names the only array of objects in an input, and the offset of the root
  /// object. Returns nil if the root object does not contain exactly one array of objects.
  func pathToRecords(_ index: Int) -> (text: String, start: Int)? {
    guard let list = inputs[index].source.onlyListOfObjects() else { return nil }
    let text =
      "the only array of objects is \(list.path); if it holds the records, add --at '\(list.path)'"
    return (text, list.start)
  }

  private func addHint(_ message: String, _ index: Int) {
    add(.typeMismatch, severity: .warning, message, to: index)
  }
}

extension ImportRun {
  /// Reports natural keys that do not identify a row. They refer to entities whose IDs are not made
  /// from fields. A dump with `--natural-foreign` but without `--natural-primary` has such keys.
  ///
  /// - Returns: `true` if there are no such keys.
  func checkNaturalKeys() -> Bool {
    var areValid = true
    for target in stage.entities {
      for reference in target.naturalKeys where !isValid(reference, to: target) {
        areValid = false
        let holder = stage.entities[reference.entity]
        let rule =
          "is a natural key, and the rows of \(target.name) have "
          + "\(target.hasGivenKeys ? "their pk" : target.idName.string.quoted) as ID; dump without "
          + "--natural-foreign, or with --natural-primary and a schema that names the ID's fields"
        let field = holder.fieldNames[reference.field].string.quoted
        stage.problems.add(
          .typeMismatch, at: reference.origin, "\(field) of \(holder.name) \(rule)",
          cause: ImportProblem.Cause(entity: holder.name, "\(field) \(rule)"))
      }
    }
    return areValid
  }

  private func isValid(_ reference: NaturalKeyReference, to target: EntityStage) -> Bool {
    if target.hasGivenKeys { return false }
    // A natural key consists of fields of a row. Django's default primary key `id` is not one of
    // the fields. If `id` is the ID of the target, the reference is therefore valid only if the ID
    // of some row equals the natural key.
    return !target.hasID(named: "id")
      || stage.contains(target, target.rows[reference.row].id.key)
  }
}

extension ImportRun: ShapeReader {
  /// Reports that the bytes of an input could not be read.
  func addUnreadable(_ failure: any Error) {
    stage.problems.add(
      ImportProblem(unreadable: inputs[stage.file].source.name, failure), file: stage.file)
  }

  var path: JSONPath? { options.at }
  var maximumDepth: Int { JSONReader.defaultMaximumDepth }

  func add(_ kind: ImportProblem.Kind, at offset: Int, _ message: String) {
    stage.problems.add(kind, at: stage.origin(offset), message)
  }

  /// Reports a problem of a whole input, or of the current input if `input` is nil.
  func add(
    _ kind: ImportProblem.Kind, severity: ImportProblem.Severity = .error, _ message: String,
    to input: Int? = nil
  ) {
    let file = input ?? stage.file
    stage.problems.add(
      ImportProblem(in: inputs[file].source.name, severity: severity, kind, message), file: file)
  }
}

extension ImportRun {
  /// Reads the records of all inputs.
  mutating func readRecords() {
    for index in inputs.indices {
      stage.file = index
      if let format = inputs[index].format, canRead(format) {
        let before = stage.counts.read
        read(inputs[index], as: format)
        inputs[index].isEmpty = stage.counts.read == before
      }
      markResults()
    }
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
      guard try descend(&reader) else { return }
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
      // If the system failed, the truncated text is not reported as another error.
      if window.failure == nil { addMalformed(error) }
    }
  }
}

extension ImportRun {
  /// Converts the rows of the database if the merged schema has relationships that the database's
  /// own schema lacks.
  mutating func convertStoredRows() {
    let added = stage.schema.entities.filter { entity in
      let old = stage.base.schema.entity(entity.name)
      return old != nil && old?.relationships.count != entity.relationships.count
    }
    guard !added.isEmpty, !stage.base.isEmpty else { return }
    var fresh: [ExactString: [Schema.Relationship]] = [:]
    for entity in added {
      let old = stage.base.schema.entity(entity.name)
      fresh[ExactString(entity.name)] = entity.relationships.filter {
        old?.relationship($0.name) == nil
      }
    }
    for record in stage.base.records {
      for relationship in fresh[ExactString(record.id.entity)] ?? [] {
        convert(record, relationship)
      }
    }
  }

  /// Converts one member of a row in the database to a relationship.
  func convert(_ record: Record, _ relationship: Schema.Relationship) {
    let current = stage.converted[record.id] ?? record
    let name = ExactString(relationship.name)
    guard let index = current.names.firstIndex(of: name) else { return }
    guard let value = convert(current.values[index], relationship) else {
      return stage.problems.add(
        .typeMismatch, at: .database,
        "\(relationship.name.quoted) of \(record.id) cannot be read as a relationship",
        path: JSONPath.row(record.id).name(relationship.name))
    }
    stage.converted[record.id] = current.with(value, at: index)
  }

  /// Returns a plain value converted to the value of a relationship, or nil if it cannot be
  /// converted.
  func convert(
    _ value: RecordValue, _ relationship: Schema.Relationship
  ) -> RecordValue? {
    guard case .plain(let text) = value, !text.isNull else { return value }
    if relationship.typeName != nil { return convertVariants(text, relationship) }
    func id(_ key: RecordKey) -> RecordID { stage.id(relationship.target, key) }
    return relationship.isMany
      ? text.keys.map { .references($0.map(id)) } : text.key.map { .reference(id($0)) }
  }
}

extension Record {
  /// Returns the row with another value at an index.
  func with(_ value: RecordValue, at index: Int) -> Record {
    var values = values
    values[index] = value
    return with(values)
  }
}

extension JSONPath {
  /// Returns the path of a row in the output of a database.
  static func row(_ id: RecordID) -> JSONPath {
    JSONPath.root.name("entities").name(id.entity).name(id.key.text)
  }
}
