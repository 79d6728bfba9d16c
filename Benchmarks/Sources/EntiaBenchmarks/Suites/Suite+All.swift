extension Suite {
  /// All suites, in the order in which they run.
  static let all: [Suite] =
    [
      .tables,
      .sorted,
      .search,
      .identified,
      .relations,
      .removal,
      .fresh,
      .store,
      .imports,
      .tool,
    ] + files + servers

  #if canImport(CSQLite)
    private static let files: [Suite] = [.keep]
  #else
    private static let files: [Suite] = []
  #endif

  #if canImport(CPostgreSQL)
    private static let servers: [Suite] = [.share]
  #else
    private static let servers: [Suite] = []
  #endif
}
