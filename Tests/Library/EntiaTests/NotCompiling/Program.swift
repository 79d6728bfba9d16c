import EntiaTestSupport
import Foundation
import Testing

/// A program that does not compile, with the errors that it expects.
struct Program: Sendable, CustomTestStringConvertible {
  let path: String
  let expectedErrors: [CompilerError]

  var name: String { URL(fileURLWithPath: path).lastPathComponent }
  var testDescription: String { name }

  static func all() throws -> [Program] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Programs")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { try Program(path: folder.appendingPathComponent($0).path) }
  }

  private init(path: String) throws {
    self.path = path
    let file = URL(fileURLWithPath: path).lastPathComponent
    var errors: [CompilerError] = []
    var codeLine = 0
    let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("// error: ") {
        errors.append(
          CompilerError(file: file, line: codeLine, message: String(text.dropFirst(10))))
      } else if text.hasPrefix("//   ") {
        errors[errors.count - 1].message += " " + text.dropFirst(5)
      } else if !text.hasPrefix("//") {
        codeLine = index + 1
      }
    }
    expectedErrors = errors
  }
}
