/// The part of a page that this program writes, between two marker lines.
package struct MarkedText {
  package static let begin = "<!-- benchmarks: begin -->"
  package static let end = "<!-- benchmarks: end -->"

  private let before: [Substring]
  private let after: [Substring]

  /// Locates the part.
  /// - Throws: `ReportError` if the page does not have each marker exactly once, in order.
  package init(_ page: String, file: String) throws {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let begins = lines.indices.filter { lines[$0] == Self.begin }
    let ends = lines.indices.filter { lines[$0] == Self.end }
    guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else {
      throw ReportError(
        "\(file) must have the line \(Self.begin) once and below it the line \(Self.end) once")
    }
    before = Array(lines[...begins[0]])
    after = Array(lines[ends[0]...])
  }

  /// Returns the page with another text between the markers.
  package func replaced(with text: String) -> String {
    (before + ["", Substring(text), ""] + after).joined(separator: "\n")
  }
}
