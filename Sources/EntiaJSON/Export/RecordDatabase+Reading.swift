extension RecordDatabase {
  /// Reads tables: what ``write()`` wrote, or others like it, with or without a schema.
  ///
  /// - Returns: the database, or nil if any problem is an error; and the report, whose warnings list
  ///   the references to rows that do not exist.
  /// - Complexity: O(bytes), and sorting for members and problems.
  public static func read(
    _ source: ImportSource
  ) -> (database: RecordDatabase?, report: ImportReport) {
    Importer.importing([source], into: nil, options: ImportOptions(format: .tables))
  }

  /// Reads tables and checks them: references to rows that do not exist are errors too.
  ///
  /// - Returns: the report; its problems have the paths of the input.
  /// - Complexity: O(bytes), and sorting for members and problems.
  public static func verifying(_ source: ImportSource) -> ImportReport {
    var (database, report) = Importer.importing(
      [source], into: nil, options: ImportOptions(format: .tables, strict: true))
    if let database { report.problems += database.verifyProblems(file: source.name) }
    return report
  }
}
