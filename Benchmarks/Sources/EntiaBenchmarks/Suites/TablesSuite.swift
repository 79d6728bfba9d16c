extension Suite {
  /// One table owned alone or beside an older version, against the standard collections.
  static let tables = Suite(
    name: "tables", summary: "one table, integer and string IDs", bytesPerRow: 1_300,
    check: checkTables,
    // Removing comes last, because it is what leaves the allocator least as it was.
    cases: readingCases + writingCases + versionCases + memoryCases + agedCases + [.remove])
}
