/// A line of the expanded file.
struct SourceLine: Equatable, Sendable {
  var fileName: String
  var number: Int
}
