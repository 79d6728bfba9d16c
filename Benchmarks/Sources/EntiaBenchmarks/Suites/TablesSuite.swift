extension Suite {
  /// One table, uniquely referenced or with an older version, compared with the standard
  /// collections.
  static let tables = Suite(
    name: "tables", summary: "one table, integer and string IDs", bytesPerRow: 1_300,
    check: checkTables,
    // Removals are last, because they change the state of the allocator most.
    cases: readingCases + heldCases + writingCases + versionCases + memoryCases + agedCases
      + [.remove])
}
