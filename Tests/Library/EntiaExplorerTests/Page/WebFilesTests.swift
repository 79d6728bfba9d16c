import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaExplorer

@Suite("The files of a page")
struct WebFilesTests {
  /// The parts of the script, in the order in which they use each other.
  private static let scripts = [
    "data", "values", "links", "deleting", "places", "list", "detail", "diagram", "facts",
    "changes", "store", "start",
  ]

  private let room = Repository.root.appending(path: "Sources/Library/EntiaExplorer")

  private func file(_ name: String) throws -> String {
    try String(contentsOf: room.appending(path: "Web/\(name)"), encoding: .utf8)
  }

  /// Returns a declaration of a text.
  private func declaration(_ name: String, _ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    \($0)" }
    return "  static let \(name) = #\"\"\"\n\(lines.joined(separator: "\n"))\n    \"\"\"#\n"
  }

  /// An array of bytes in the source, as SwiftPM embeds files, takes 25 seconds to compile; a text
  /// takes none. `ENTIA_RECORD_FIXTURES=1` writes the texts again.
  @Test("The texts in the library are those of the files")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path() + "/Web")
    expectEqual(Set(names), Set(Self.scripts.map { "\($0).js" } + ["page.html", "page.css"]))
    let script = try Self.scripts.map { try file("\($0).js") }.joined(separator: "\n")
    let expected = try [
      "/// The files in the folder `Web`, written by WebFilesTests with ENTIA_RECORD_FIXTURES=1.",
      "enum WebFiles {",
      declaration("html", file("page.html")),
      declaration("style", file("page.css")),
      declaration("script", script) + "}\n",
    ].joined(separator: "\n")
    let path = room.appending(path: "Page/WebFiles.swift")
    if ProcessInfo.processInfo.environment["ENTIA_RECORD_FIXTURES"] == "1" {
      try expected.write(to: path, atomically: true, encoding: .utf8)
    }
    try expectEqual(String(contentsOf: path, encoding: .utf8), expected)
    expectTrue(!script.contains("</script") && !script.contains("\"\"\"#"))
  }
}
