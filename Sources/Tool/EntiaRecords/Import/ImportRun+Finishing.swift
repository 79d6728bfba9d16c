import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Writes the staged rows, unless a problem is an error.
  ///
  /// - Parameter old: The database before the import. If the import is refused, the report counts
  ///   the rows of this database.
  /// - Returns: The report, and the new version, which is nil if nothing is written.
  func finish(
    replacing old: RecordDatabase?
  ) -> (database: RecordDatabase?, report: ImportReport) {
    var report = report()
    if !report.isRefused {
      do {
        let counts = countsIfNew()
        let database = try written()
        if let counts { report.entities = counts } else { report.count(database) }
        return (database, report)
      } catch {
        report.problems.append(ImportProblem(refusedBy: error))
      }
    }
    report.rejectAll()
    if let old { report.count(old) }
    return (nil, report)
  }

  /// Returns the report of a completed reading. The rows of the database are counted later.
  private func report() -> ImportReport {
    ImportReport(
      stage.counts, ignored: ignored, stage.problems,
      of: inputs.map {
        ProblemList.Input(source: $0.source, format: $0.format, isEmpty: $0.isEmpty)
      },
      isStrict: options.strict, advice: missingIDAdvice())
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
  private func countsIfNew() -> [ImportReport.EntityCount]? {
    guard stage.base.isEmpty else { return nil }
    return stage.entities.sorted { $0.name.precedesExactly($1.name) }.map {
      ImportReport.EntityCount(name: $0.name, count: $0.seenRows.count)
    }
  }

  /// Writes the staged rows into the database, in one batch. The staged rows are released first,
  /// and must not be used afterwards.
  ///
  /// - Throws: The violated rule of the storage. No current rule can refuse rows.
  private func written() throws -> RecordDatabase {
    var database = stage.base
    database.schema = stage.schema
    var rows: [Record] = []
    rows.reserveCapacity(stage.entities.reduce(0) { $0 + $1.seenRows.count })
    var converted = stage.converted
    for entity in stage.entities {
      for position in entity.seenRows {
        // The staged row replaces the converted row, because reading has already combined the
        // converted row with the record.
        let wasConverted =
          !converted.isEmpty
          && converted.removeValue(forKey: entity.rows[Int(position)].id) != nil
        if entity.rows[Int(position)].isChanged || wasConverted,
          let record = entity.rows[Int(position)].record.take()
        {
          rows.append(record)
        }
      }
      let known = database.resultKeys[ExactString(entity.name)] ?? []
      let added = entity.rootKeys(besides: known)
      if !added.isEmpty {
        database.resultKeys[ExactString(entity.name)] = known + added
      }
      entity.releaseRows()
    }
    rows += converted.keys.sorted().compactMap { converted[$0] }
    try database.storage.write(rows, defersLinks: options.defersLinks)
    return database
  }
}

extension ImportReport {
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
