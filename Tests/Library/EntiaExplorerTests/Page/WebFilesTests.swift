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

  private let folder = Repository.root.appending(path: "Sources/Library/EntiaExplorer/Web")

  private func file(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test("The texts in the library are those of the files")
  func files() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    expectEqual(Set(names), Set(Self.scripts.map { "\($0).js" } + ["page.html", "page.css"]))
    let script = try Self.scripts.map { try file("\($0).js") }.joined(separator: "\n")
    try expectEqual(WebFiles.html, file("page.html"))
    try expectEqual(WebFiles.style, file("page.css"))
    expectEqual(WebFiles.script, script)
    expectTrue(!script.contains("</script"))
  }
}
