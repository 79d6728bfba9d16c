extension Suite {
  /// All suites, in the order in which they run.
  static let all: [Suite] =
    [
      .tables,
      .sorted,
      .identified,
      .relations,
      .store,
      .imports,
    ] + files

  #if canImport(CSQLite)
    private static let files: [Suite] = [.keep]
  #else
    private static let files: [Suite] = []
  #endif
}
