/// A piece of the user's source with its leading comments and white space, and its position.
struct SyntaxText: Equatable, Sendable {
  var source: String
  var fileName = ""
  /// The UTF-8 offset of the piece in its file.
  var offset = 0
  /// The line number at the beginning of the piece, from 1; 0 if the compiler does not send it.
  var line = 0
}

extension SyntaxText {
  /// Returns the line at an offset in this piece, or `nil` if the file is unknown.
  func sourceLine(at local: Int) -> SourceLine? {
    guard line > 0, !fileName.isEmpty else { return nil }
    let breaks = source.utf8.prefix(max(0, local)).count { $0 == UInt8(ascii: "\n") }
    return SourceLine(fileName: fileName, number: line &+ breaks)
  }
}
