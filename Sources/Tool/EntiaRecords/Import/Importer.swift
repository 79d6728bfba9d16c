@_exported public import EntiaJSON

extension Importer {
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
    let base = database ?? RecordDatabase()
    var run = ImportRun(sources, into: base, options: options)
    run.execute()
    if !run.foundSharedModelNames.isEmpty {
      // Whether several models share a name is known only after all records are read. In this rare
      // case, the import runs again.
      run = ImportRun(
        sources, into: base, options: options, sharedModelNames: run.foundSharedModelNames)
      run.execute()
    }
    return run.finish(replacing: database)
  }
}
