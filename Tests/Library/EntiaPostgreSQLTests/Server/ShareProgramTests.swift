import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("The guide: a shared program")
struct ShareProgramTests {
  private let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private func section() throws -> String {
    let article = try String(
      contentsOf: Repository.root.appending(
        path: "Sources/Library/Entia/Entia.docc/Concepts/Sharing.md"), encoding: .utf8)
    return try #require(article.components(separatedBy: "\n## Try it\n").last)
  }

  @Test("The example is compiled as written")
  func text() throws {
    let source = try String(
      contentsOf: folder.appending(path: "ShareExample.swift"), encoding: .utf8)
    let block = try section().components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```")[0]
    let lines = source.components(separatedBy: "throws {\n").last?.components(separatedBy: "\n")
      .prefix { $0 != "    // The end of the example." }.map { String($0.dropFirst(4)) }
    expectEqual(block, lines.map { $0.joined(separator: "\n") + "\n" })
  }

  @Test(
    "The example shares a batch", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func example() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    try await ShareExample.share(url: server.string(database: database))
    let shared = try await SharedDatabase<ShareExample.Blog>(
      connecting: server.string(database: database), space: "team-7")
    try await expectEqual(shared.load().authors.map(\.name), ["Ada"])
    await shared.close()
  }

  @Test(
    "The rights are enough, and each is needed",
    .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  func rights() async throws {
    let block = try section().components(separatedBy: "```sql\n").dropFirst().first?
      .components(separatedBy: "```")[0]
    let grants = try #require(block).split(separator: "\n").map(String.init)
    expectEqual(grants.count, 3)
    for left in [nil] + grants.indices.map(Optional.some) {
      let server = try await LocalServer.shared()
      let database = try await server.makeDatabase()
      let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
      let admin = try server.connection(database: database)
      try admin.run("CREATE ROLE \(role) LOGIN")
      try admin.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
      for (index, grant) in grants.enumerated() where index != left {
        try admin.run(grant.replacing("TO app;", with: "TO \(role)"))
      }
      let url = server.string(user: role, database: database)
      guard left != nil else {
        try await ShareExample.share(url: url)
        let shared = try await SharedDatabase<ShareExample.Blog>(connecting: url, space: "team-7")
        try await expectEqual(shared.load().authors.map(\.name), ["Ada"])
        try await shared.trimLog()
        await shared.close()
        continue
      }
      await #expect {
        try await ShareExample.share(url: url)
      } throws: {
        guard case SharedDatabaseError.noRights = $0 else { return false }
        return true
      }
    }
  }
}
