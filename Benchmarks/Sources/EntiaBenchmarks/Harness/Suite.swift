/// Cases that belong together, run in their order at each size.
struct Suite {
  let name: String
  let summary: String
  let cases: [Case]

  /// Every suite there is.
  static let all: [Suite] = [.tables, .relations, .store]
}
