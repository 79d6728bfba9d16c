public import EntiaJSON

extension RecordDatabase {
  /// Reads tables: output of ``write()``, or similar text, with or without a schema.
  ///
  /// - Returns: The database, or nil if any problem is an error; and the report, whose warnings
  ///   list the dangling references.
  /// - Complexity: O(bytes), plus sorting of members and problems.
  public static func read(
    _ source: ImportSource
  ) -> (database: RecordDatabase?, report: ImportReport) {
    Importer.importing([source], into: nil, options: ImportOptions(format: .tables))
  }

  /// Reads tables and verifies them: dangling references are errors too.
  ///
  /// - Returns: The report; its problems have the paths of the input.
  /// - Complexity: O(bytes), plus sorting of members and problems.
  public static func verifying(_ source: ImportSource) -> ImportReport {
    var options = ImportOptions(format: .tables, strict: true)
    // The database is discarded after the import, which checks the whole text. The links need no
    // check: they would be built from the rows.
    options.defersLinks = true
    return Importer.importing([source], into: nil, options: options).report
  }
}
