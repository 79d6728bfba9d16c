import EntiaDatabase
import EntiaLocalServer
import Foundation
import Testing

@testable import EntiaPostgreSQL

@Suite("README: Share it")
struct ShareReadmeTests {
  @Test("The example is compiled as written")
  func text() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "ShareExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: folder.appending(path: "../../../README.md"), encoding: .utf8)
    let section = try #require(readme.components(separatedBy: "\n## Share it\n").last)
    let block = section.components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```")[0]
    let lines = source.components(separatedBy: "throws {\n").last?.components(separatedBy: "\n")
      .prefix { $0 != "    // The end of the example." }.map { String($0.dropFirst(4)) }
    #expect(block == lines.map { $0.joined(separator: "\n") + "\n" })
  }

  @Test(
    "The example shares a batch", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func example() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    try await ShareExample.share(url: server.string(database: database))
    let shared = try await SharedDatabase<ShareExample.Blog>(
      connecting: server.string(database: database), space: "team-7")
    #expect(try await shared.load().authors.map(\.name) == ["Ada"])
    await shared.close()
  }
}
