/// A line of the file that is expanded.
struct SourceLine: Equatable, Sendable {
  var fileName: String
  var number: Int
}
