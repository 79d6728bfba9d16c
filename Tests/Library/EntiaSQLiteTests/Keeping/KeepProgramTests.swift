import EntiaDatabase
import EntiaSQLite
import EntiaTestSupport
import Foundation
import Testing

@Suite("The guide: a whole program, the later examples")
struct KeepProgramTests {
  @Test("The examples are compiled as written, and keep and migrate a file")
  func examples() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "KeepExample.swift"), encoding: .utf8)
    let article = try String(
      contentsOf: Repository.root.appending(
        path: "Sources/Library/Entia/Entia.docc/Concepts/Keeping.md"), encoding: .utf8)
    let section = try #require(article.components(separatedBy: "\n## A whole program\n").last)
    let blocks = section.components(separatedBy: "```swift\n").dropFirst(2).prefix(2)
      .map { $0.components(separatedBy: "```")[0] }
    let bodies = source.components(separatedBy: "throws").dropFirst().map { part in
      let lines = part.components(separatedBy: "\n").dropFirst()
        .prefix { $0 != "    // The end of the example." }
      return lines.map { String($0.dropFirst(4)) }.joined(separator: "\n") + "\n"
    }
    expectEqual(blocks, bodies)

    let files = try TemporaryFolder()
    try await KeepExample.keepParts(path: files.file())
    let file = try KeepExample.migrate(path: files.file())
    let magazine = try file.load()
    expectTrue(
      magazine.people.map(\.first) == ["Ada"] && magazine.people.map(\.last) == ["Lovelace"])
    expectTrue(magazine.posts.map(\.headline) == ["Notes"] && magazine.posts.map(\.rating) == [3])
    let drafts = try DatabaseFile<KeepExample.Drafts>(named: "drafts", in: file)
    try expectEqual(drafts.load().posts.count, 1)
  }
}
