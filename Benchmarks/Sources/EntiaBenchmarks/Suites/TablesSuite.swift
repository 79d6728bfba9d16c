extension Suite {
  /// One table owned alone or beside an older version, against the standard collections.
  static let tables = Suite(
    name: "tables", summary: "one table, integer and string IDs",
    cases: readingCases + writingCases + versionCases + [.bytesPerRow, .remove])
}
