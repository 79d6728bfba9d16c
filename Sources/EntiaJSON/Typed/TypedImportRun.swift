import EntiaDatabase

/// One import of entities of Swift types.
struct TypedImportRun<Storage: NormalizedStorageType> {
  private let base: Storage
  private let context: TypedImportContext
  private let sources: [ImportSource]
  private let decoding: DecodingRun
  private let stages: [AnyTypedStage<Storage>]
  private var formats: [ImportFormat?]

  init(_ sources: [ImportSource], _ stages: TypedStages<Storage>) {
    self.sources = sources
    base = stages.base
    context = stages.context
    decoding = stages.decoding
    self.stages = stages.tables
    formats = sources.map { _ in nil }
  }

  // MARK: Reading

  /// Reads records of an entity at the top level, and gives their IDs.
  mutating func read<Root: EntityType & Decodable>(_ root: Root.Type) -> [Root.EntityID] {
    guard acceptsPolicy() else { return [] }
    guard let stage = stages.first(where: { $0.entity == Root.self }),
      let roots = stage.roots as? RootIDs<Root.EntityID>
    else {
      context.problems.add(
        ImportProblem(
          file: sources.first?.name ?? "", path: JSONPath.root.description, kind: .unknownEntity,
          message: "\(Storage.self) has no table of \(Root.entityName)"), file: 0)
      return []
    }
    let (context, decoding) = (context, decoding)
    for index in sources.indices {
      read(index) { (reader, token, isFirst) throws(JSONError) in
        try Self.readRecord(token, &reader, decoding, context, stage.name) { node in
          try stage.readRoot(node, decoding)
        }
      }
    }
    return roots.ids
  }

  /// Whether conflicts can be settled as asked for; if not, that is a problem.
  private func acceptsPolicy() -> Bool {
    guard context.options.onConflict == .merge else { return true }
    context.problems.add(
      ImportProblem(
        file: sources.first?.name ?? "", path: JSONPath.root.description, kind: .usage,
        message: "entities of Swift types cannot be merged: a property that a record lacks is not "
          + "told from one that is nil; pass a MergePolicy as merging:, or set onConflict to .replace "
          + "or .keep"), file: 0)
    return false
  }

  private typealias ReadValue = (inout JSONReader, JSONToken, Bool) throws(JSONError) -> Void

  /// Reads the elements of an array at the top level, or the one value there, or one a line.
  private mutating func read(_ index: Int, _ readValue: ReadValue) {
    context.file = index
    let isLines = FormatGuess.guess(sources[index], hasRoot: true) == .format(.ndjson)
    formats[index] = isLines ? .ndjson : .nested
    let context = context
    sources[index].withWindow { window in
      if isLines {
        Self.readLines(window, context, readValue)
      } else {
        var reader = JSONReader(window, maximumDepth: context.options.maximumDepth)
        do throws(JSONError) {
          try Self.readValues(&reader, context, readValue)
        } catch {
          if window.failure == nil { Self.tell(error, context) }
        }
      }
      if let failure = window.failure { tellUnreadable(failure, index) }
    }
  }

  private static func readLines(
    _ window: ByteWindow, _ context: TypedImportContext, _ readValue: ReadValue
  ) {
    var lines = JSONLines(window)
    while let line = lines.next() {
      var reader = JSONReader(
        window, line.range, line: line.number, column: line.column,
        maximumDepth: context.options.maximumDepth)
      do {
        if context.options.at == nil {
          try readValue(&reader, try reader.next(), true)
          _ = try reader.next()
        } else {
          try readValues(&reader, context, readValue)
        }
      } catch {
        tell(error, context)
      }
    }
  }

  private static func readValues(
    _ reader: inout JSONReader, _ context: TypedImportContext, _ readValue: ReadValue
  ) throws(JSONError) {
    guard try descend(&reader, context) else { return }
    let token = try reader.next()
    if token == .beginArray {
      while true {
        let token = try reader.next()
        if token == .endArray { break }
        try readValue(&reader, token, false)
      }
    } else {
      try readValue(&reader, token, true)
    }
    try ascend(&reader, context)
    _ = try reader.next()
  }

  /// Reads up to the value that the records are in.
  ///
  /// - Returns: Whether there is one; if not, that is a problem.
  private static func descend(
    _ reader: inout JSONReader, _ context: TypedImportContext
  ) throws(JSONError) -> Bool {
    guard let path = context.options.at, let problem = try reader.descend(to: path) else {
      return true
    }
    context.problems.add(
      .typeMismatch, at: context.origin(reader.tokenStart),
      "the records are looked for at \(path), and \(problem)")
    return false
  }

  /// Reads to the end of the value that the records are in, and reports the names of the path that
  /// occur again.
  private static func ascend(
    _ reader: inout JSONReader, _ context: TypedImportContext
  ) throws(JSONError) {
    guard let path = context.options.at else { return }
    for offset in try reader.ascend(from: path) {
      context.problems.add(
        .duplicateKey, at: context.origin(offset), "the object has this member already")
    }
  }

  private static func readRecord(
    _ token: JSONToken, _ reader: inout JSONReader, _ decoding: DecodingRun,
    _ context: TypedImportContext, _ table: String, _ read: (Int) throws -> Void
  ) throws(JSONError) {
    guard token == .beginObject else {
      context.problems.add(
        .typeMismatch, at: context.origin(reader.tokenStart),
        "expected a record of \(table), which is an object, found \(token.noun)")
      return try reader.skipValue(token)
    }
    reader.keptFrom = reader.tokenStart
    try decoding.tape.read(token, from: &reader)
    for offset in decoding.tape.duplicates {
      context.problems.add(
        .duplicateKey, at: context.origin(offset), "the object has this member already")
    }
    decoding.reader = reader.reader(from: reader.tokenStart)
    do {
      try read(0)
    } catch {
      // What is wrong was told where it was found.
    }
    reader.keptFrom = .max
  }

  /// Reads an object of tables.
  mutating func readTables() {
    guard acceptsPolicy() else { return }
    for index in sources.indices {
      context.file = index
      formats[index] = .tables
      let (context, decoding, stages) = (context, decoding, stages)
      sources[index].withWindow { window in
        var reader = JSONReader(window, maximumDepth: context.options.maximumDepth)
        do throws(JSONError) {
          if try Self.descend(&reader, context) {
            try Self.readTables(&reader, context, decoding, stages)
            try Self.ascend(&reader, context)
            _ = try reader.next()
          }
        } catch {
          if window.failure == nil { Self.tell(error, context) }
        }
        if let failure = window.failure { tellUnreadable(failure, index) }
      }
    }
  }

  private static func readTables(
    _ reader: inout JSONReader, _ context: TypedImportContext, _ decoding: DecodingRun,
    _ stages: [AnyTypedStage<Storage>]
  ) throws(JSONError) {
    let first = try reader.next()
    guard first == .beginObject else {
      context.problems.add(
        .typeMismatch, at: context.origin(reader.tokenStart),
        "expected an object of tables, found \(first.noun)")
      return try reader.skipValue(first)
    }
    while try reader.next() == .name {
      let name = reader.string()
      let offset = reader.tokenStart
      let token = try reader.next()
      guard let stage = stages.first(where: { $0.name.isExactly(name) }), token.opens else {
        context.problems.add(
          token.opens ? .unknownEntity : .typeMismatch, at: context.origin(offset),
          token.opens
            ? "\(name.quoted) is no table of \(Storage.self)"
              + Suggestion.sentence(for: name, among: stages.map(\.name))
            : "expected the table \(name.quoted), an array or an object of rows; "
              + "found \(token.noun)")
        try reader.skipValue(token)
        continue
      }
      while true {
        var token = try reader.next()
        if token == .endArray || token == .endObject { break }
        if token == .name { token = try reader.next() }
        try readRecord(token, &reader, decoding, context, name) {
          try stage.readRow($0, decoding)
        }
      }
    }
  }

  private static func tell(_ error: JSONError, _ context: TypedImportContext) {
    context.problems.add(.malformedJSON, at: context.origin(error.offset), error.description)
  }

  private func tellUnreadable(_ failure: any Error, _ index: Int) {
    context.problems.add(
      ImportProblem(
        file: sources[index].name, path: JSONPath.root.description, kind: .unreadable,
        message: "the input cannot be read to its end: \(failure)"), file: index)
  }

  // MARK: Ends

  /// Writes everything in one batch, if nothing is wrong.
  func finish() -> (database: Storage?, report: ImportReport) {
    if !context.problems.hasErrors {
      for stage in stages { stage.tellDangling() }
    }
    var report = ImportReport()
    report.read = context.counts.read
    report.inserted = context.counts.inserted
    report.updated = context.counts.updated
    report.unchanged = context.counts.unchanged
    report.ignored = context.ignored.sorted { $0.key.precedesExactly($1.key) }.map {
      ImportReport.EntityCount(name: $0.key, count: $0.value)
    }
    report.files = zip(sources, formats).map { ImportReport.File(name: $0.name, format: $1) }
    let inputs = zip(sources, formats).map {
      ProblemList.Input(source: $0, format: $1)
    }
    report.problems = context.problems.resolved(inputs, isStrict: context.options.strict)
    guard !report.isRefused else { return (nil, refused(report)) }
    var database = base
    do {
      try database.performBatchUpdates { batch in
        for stage in stages { stage.write(&batch) }
      }
    } catch {
      report.problems.append(
        ImportProblem(
          file: "the database", path: JSONPath.root.description, kind: .inconsistency,
          message: "the database refuses the rows: \(error)"))
      return (nil, refused(report))
    }
    return (database, counted(report, database))
  }

  private func refused(_ report: ImportReport) -> ImportReport {
    var report = counted(report, base)
    report.inserted = 0
    report.updated = 0
    report.unchanged = 0
    report.rejected = report.read
    return report
  }

  private func counted(_ report: ImportReport, _ database: Storage) -> ImportReport {
    var report = report
    report.entities = stages.sorted { $0.name.precedesExactly($1.name) }.map {
      ImportReport.EntityCount(name: $0.name, count: $0.count(database))
    }
    return report
  }
}
