import EntiaCoding
import EntiaDatabase

/// One import of entities of Swift types.
struct TypedImportRun<Storage: NormalizedStorageType> {
  private let base: Storage
  private let context: TypedImportContext
  private let sources: [ImportSource]
  private let decoding: DecodingRun
  private let stages: [AnyTypedStage<Storage>]
  private var formats: [ImportFormat?]
  /// The position in `stages` of the table of the records at the top level; nil if the inputs name
  /// the tables.
  private var root: Int?

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
    guard let place = stages.firstIndex(where: { $0.entity == Root.self }),
      let roots = stages[place].roots as? RootIDs<Root.EntityID>
    else {
      add(.unknownEntity, "\(Storage.self) has no table of \(Root.entityName)", at: 0)
      return []
    }
    readInputs(root: place)
    return roots.ids
  }

  /// Returns whether conflicts can be resolved as requested. Reports a problem if not.
  private func acceptsPolicy() -> Bool {
    guard context.options.conflictPolicy == .merge else { return true }
    add(
      .usage,
      "entities of Swift types cannot be merged without a policy: a property that a record lacks "
        + "cannot be distinguished from one that is nil; pass a MergePolicy as merging:, or set "
        + "onConflict to .replace or .keep", at: 0)
    return false
  }

  /// Reads an object of tables.
  mutating func readTables() {
    guard acceptsPolicy() else { return }
    readInputs(root: nil)
  }

  private mutating func readInputs(root: Int?) {
    self.root = root
    for index in sources.indices { read(index, root: root.map { stages[$0] }) }
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
      defer { decoding.end() }
      if format == .ndjson {
        input.readLines(window)
      } else {
        var reader = JSONReader(window, maximumDepth: context.options.maximumDepth)
        do throws(JSONError) {
          try input.read(&reader, as: format)
        } catch {
          if window.failure == nil { input.addMalformed(error) }
        }
      }
      if let failure = window.failure {
        context.problems.add(
          ImportProblem(unreadable: sources[index].name, failure), file: index)
      }
    }
  }

  /// Returns the format of an input. Reports a problem and returns nil if the input cannot be read.
  private func format(of index: Int) -> ImportFormat? {
    let options = context.options
    guard options.format == .auto else {
      if options.format != .csv { return options.format }
      add(
        .usage, "CSV cannot be imported into Swift types, only with a schema; convert it to JSON",
        at: index)
      return nil
    }
    guard case .format(let guess) = FormatGuess.guess(sources[index], hasRoot: true) else {
      return .nested
    }
    if guess == .csv || options.at != nil && guess != .ndjson { return .nested }
    return guess
  }

  /// Reports a problem of a whole input.
  private func add(
    _ kind: ImportProblem.Kind, severity: ImportProblem.Severity = .error, _ message: String,
    at index: Int
  ) {
    let file = sources.indices.contains(index) ? sources[index].name : ""
    context.problems.add(
      ImportProblem(in: file, severity: severity, kind, message), file: index)
  }

  // MARK: Ends

  /// Writes all entities in one batch, if there are no errors.
  func finish() -> (database: Storage?, report: ImportReport) {
    if context.problems.hasErrors {
      for index in sources.indices { addHint(index) }
    } else {
      for stage in stages { stage.reportDangling() }
    }
    var report = report()
    if !report.isRefused {
      var database = base
      do {
        try database.performBatchUpdates { batch in
          for stage in stages { stage.write(&batch) }
        }
        report.entities = counts(database)
        return (database, report)
      } catch {
        addRefusal(error)
        report = self.report()
      }
    }
    report.rejectAll()
    report.entities = counts(base)
    return (nil, report)
  }

  private func report() -> ImportReport {
    ImportReport(
      context.counts, ignored: context.ignored, context.problems,
      of: zip(sources, formats).map { ProblemList.Input(source: $0, format: $1) },
      isStrict: context.options.strict)
  }

  /// Reports why the database refuses the rows. Each violation of a rule is a problem of its own,
  /// at the last record of its rows.
  private func addRefusal(_ error: any Error) {
    guard case BatchError.refused(let violations) = error else {
      return context.problems.add(ImportProblem(refusedBy: error), file: Origin.database.file)
    }
    let origins = origins(of: Set(violations.flatMap(\.entities)))
    for violation in violations {
      let last = violation.entities.compactMap { origins[$0] }.max {
        ($0.file, $0.offset) < ($1.file, $1.offset)
      }
      context.problems.add(
        .inconsistency, at: last ?? .database, "the database refuses the rows: \(violation)")
    }
  }

  /// Returns the origins of rows. The batch has taken the rows, so the inputs are read once more.
  private func origins(of rows: Set<EntityLabel>) -> [EntityLabel: Origin] {
    var run = Self(sources, TypedStages(base, context.options))
    run.readInputs(root: root)
    var origins: [EntityLabel: Origin] = [:]
    for stage in run.stages { stage.addOrigins(rows, &origins) }
    return origins
  }

  /// Adds a hint if an input is an object that was refused as a record, and contains exactly one
  /// array of objects. The hint names the path of the array, because the array may hold the
  /// records.
  private func addHint(_ index: Int) {
    guard context.options.at == nil, formats[index] == .nested else { return }
    let list = sources[index].onlyListOfObjects()
    let isRefused = context.problems.pending.contains {
      $0.origin.file == index && $0.origin.offset == list?.start && $0.severity == .error
    }
    guard let list, isRefused else { return }
    let path = list.path
    add(
      .typeMismatch, severity: .warning,
      "the only array of objects is \(path); if it holds the records, set the option at to "
        + "JSONPath(\(path.description.quoted))", at: index)
  }

  private func counts(_ database: Storage) -> [ImportReport.EntityCount] {
    stages.sorted { $0.name.precedesExactly($1.name) }.map {
      ImportReport.EntityCount(name: $0.name, count: $0.count(database))
    }
  }
}

extension BatchViolation {
  /// The entities that violate the rule.
  fileprivate var entities: [EntityLabel] {
    switch self {
    case .deniedDelete(let entity, _, _), .wrongCount(let entity, _, _, _),
      .wrongHolderCount(let entity, _, _, _), .missingReference(let entity, _, _):
      [entity]
    case .duplicateKey(_, _, let entities): entities
    case .brokenCheck(_, _, let entity): entity.map { [$0] } ?? []
    }
  }
}
