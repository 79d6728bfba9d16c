/// Imports JSON into a database: all of it, or nothing.
public struct Importer {
  /// Imports several inputs together. Their order does not matter, unless they contradict each
  /// other and the options select one of the values.
  ///
  /// - Parameters:
  ///   - sources: The inputs.
  ///   - database: The database to add rows to; nil to create one.
  ///   - options: The options.
  /// - Returns: The database with the rows added, or nil if any problem is an error; and the
  ///   report, which lists all problems, not only the first.
  /// - Complexity: O(bytes of the inputs), plus sorting of members and problems.
  public static func importing(
    _ sources: [ImportSource], into database: RecordDatabase?, options: ImportOptions
  ) -> (database: RecordDatabase?, report: ImportReport) {
    var run = ImportRun(sources, into: database ?? RecordDatabase(), options: options)
    run.run()
    if !run.foundSharedModelNames.isEmpty {
      // Names are known to be shared only once all rows are read, which is rare.
      let names = run.foundSharedModelNames
      run = ImportRun(
        sources, into: database ?? RecordDatabase(), options: options, sharedModelNames: names)
      run.run()
    }
    var report = run.report()
    guard !report.isRefused else {
      report.refuse(database)
      return (nil, report)
    }
    do {
      let counts = run.countsIfNew()
      let result = try run.written()
      if let counts { report.entities = counts } else { report.count(result) }
      return (result, report)
    } catch {
      report.problems.append(
        ImportProblem(
          file: "the database", path: JSONPath.root.description, kind: .inconsistency,
          message: "the database refuses the rows: \(error)"))
      report.refuse(database)
      return (nil, report)
    }
  }
}

extension ImportRun {
  /// Returns the report of a completed reading. The rows of the database are counted later.
  func report() -> ImportReport {
    var report = ImportReport()
    report.read = stage.counts.read
    report.inserted = stage.counts.inserted
    report.updated = stage.counts.updated
    report.unchanged = stage.counts.unchanged
    report.ignored = ignored.sorted { $0.key.precedesExactly($1.key) }.map {
      ImportReport.EntityCount(name: $0.key, count: $0.value)
    }
    report.files = inputs.map { ImportReport.File(name: $0.source.name, format: $0.format) }
    let inputs = inputs.map {
      ProblemList.Input(source: $0.source, format: $0.format)
    }
    report.problems = stage.problems.resolved(
      inputs, isStrict: options.strict, advice: missingIDAdvice())
    return report
  }

  /// Returns advice for entities whose records have no IDs, by entity.
  private func missingIDAdvice() -> [String: String] {
    var advice: [String: String] = [:]
    for entity in stage.entities where entity.isEmpty {
      advice[entity.name] = entity.idCandidates.advice(
        for: entity.name, fieldNames: entity.fieldNames)
    }
    return advice
  }

  /// Returns the number of rows of each entity after the import, or nil if the database had rows
  /// before.
  fileprivate func countsIfNew() -> [ImportReport.EntityCount]? {
    guard stage.base.isEmpty else { return nil }
    return stage.entities.sorted { $0.name.precedesExactly($1.name) }.map {
      ImportReport.EntityCount(name: $0.name, count: $0.met.count)
    }
  }

  /// Writes the staged rows into the database, in one batch. The staged rows are released first,
  /// and must not be used afterwards.
  ///
  /// - Throws: The violated rule of the storage. No current rule can refuse rows.
  func written() throws -> RecordDatabase {
    var database = stage.base
    database.schema = stage.schema
    var rows: [Record] = []
    var reread = stage.reread
    for entity in stage.entities {
      for position in entity.met {
        // A staged row has been compared with the converted one, so it is the later of the two.
        let wasReread =
          !reread.isEmpty
          && reread.removeValue(forKey: entity.rows[Int(position)].id) != nil
        if entity.rows[Int(position)].isChanged || wasReread,
          let record = entity.rows[Int(position)].record.take()
        {
          rows.append(record)
        }
      }
    }
    rows += reread.keys.sorted().compactMap { reread[$0] }
    for entity in stage.entities {
      let known = database.resultKeys[ExactString(entity.name)] ?? []
      let added = entity.rootKeys(besides: known)
      if !added.isEmpty {
        database.resultKeys[ExactString(entity.name)] = known + added
      }
      entity.forget()
    }
    try database.storage.write(rows)
    return database
  }
}

extension ImportReport {
  /// Records that nothing was written: all occurrences are rejected together with the invalid ones.
  fileprivate mutating func refuse(_ database: RecordDatabase?) {
    inserted = 0
    updated = 0
    unchanged = 0
    rejected = read
    if let database { count(database) }
  }

  /// Counts the rows of a database by entity.
  fileprivate mutating func count(_ database: RecordDatabase) {
    var counts: [ExactString: Int] = [:]
    for entity in database.schema.entities { counts[ExactString(entity.name)] = 0 }
    for (entity, rows) in database.countsByEntity() { counts[ExactString(entity)] = rows }
    entities = counts.sorted { $0.key < $1.key }.map {
      EntityCount(name: $0.key.string, count: $0.value)
    }
  }
}
