extension Suite {
  /// Every suite there is, in the order in which they run; a new one is a line here.
  static let all: [Suite] = [
    .tables,
    .sorted,
    .identified,
    .relations,
    .store,
    .imports,
  ]
}
