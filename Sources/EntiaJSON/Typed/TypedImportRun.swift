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

  /// Reads records of an entity at the top level, and returns their IDs.
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
    for index in sources.indices { read(index, root: stage) }
    return roots.ids
  }

  /// Returns whether conflicts can be resolved as requested. Reports a problem if not.
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

  /// Reads an object of tables.
  mutating func readTables() {
    guard acceptsPolicy() else { return }
    for index in sources.indices { read(index, root: nil) }
  }

  /// Reads one input.
  /// - Parameter root: The table of the records at the top level; nil if the input names the
  ///   tables.
  private mutating func read(_ index: Int, root: AnyTypedStage<Storage>?) {
    context.file = index
    guard let format = root == nil ? .tables : format(of: index) else { return }
    formats[index] = format
    let input = TypedInputReader(
      context: context, decoding: decoding, stages: stages, root: root)
    sources[index].withWindow { window in
      if format == .ndjson {
        input.readLines(window)
      } else {
        var reader = JSONReader(window, maximumDepth: context.options.maximumDepth)
        do throws(JSONError) {
          try input.read(&reader, as: format)
        } catch {
          if window.failure == nil { input.report(error) }
        }
      }
      if let failure = window.failure { tellUnreadable(failure, index) }
    }
  }

  /// Returns the format of an input; nil if it cannot be read, which is reported.
  private func format(of index: Int) -> ImportFormat? {
    let options = context.options
    guard options.format == .auto else {
      if options.format != .csv { return options.format }
      context.problems.add(
        ImportProblem(
          file: sources[index].name, path: JSONPath.root.description, kind: .usage,
          message: "CSV is imported with a schema, not into Swift types"), file: index)
      return nil
    }
    guard case .format(let guess) = FormatGuess.guess(sources[index], hasRoot: true) else {
      return .nested
    }
    if guess == .csv || options.at != nil && guess != .ndjson { return .nested }
    return guess
  }

  private func tellUnreadable(_ failure: any Error, _ index: Int) {
    context.problems.add(
      ImportProblem(
        file: sources[index].name, path: JSONPath.root.description, kind: .unreadable,
        message: "the input cannot be read to its end: \(failure)"), file: index)
  }

  // MARK: Ends

  /// Writes all entities in one batch, if there are no errors.
  func finish() -> (database: Storage?, report: ImportReport) {
    if context.problems.hasErrors {
      for index in sources.indices { addHint(index) }
    } else {
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

  /// Lists where the records of an input seem to be, if its root object was refused as a record and
  /// contains one array of objects.
  private func addHint(_ index: Int) {
    guard context.options.at == nil, formats[index] == .nested else { return }
    let list = sources[index].withWindow { window in
      var reader = JSONReader(window)
      return reader.onlyListOfObjects()
    }
    let isRefused = context.problems.pending.contains {
      $0.origin.file == index && $0.origin.offset == list?.start && $0.severity == .error
    }
    guard let list, isRefused else { return }
    let path = list.path
    context.problems.add(
      ImportProblem(
        file: sources[index].name, path: JSONPath.root.description, severity: .warning,
        kind: .typeMismatch,
        message:
          "the only array of objects is \(path); if it holds the records, set the option at to "
          + "JSONPath(\(path.description.quoted))"), file: index)
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
