import EntiaDatabase
import EntiaSQLite
import Foundation
import Testing

@Suite("README: Keep it")
struct KeepReadmeTests {
  @Test("The example is compiled as written, and finds what an earlier run saved")
  func example() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "KeepExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: folder.appending(path: "../../../README.md"), encoding: .utf8)
    let block = readme.components(separatedBy: "\n## Keep it\n").last?
      .components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```").first
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let imports = lines.prefix { $0.hasPrefix("import") }
    let body = lines.drop { !$0.hasPrefix("enum") }.dropFirst().prefix { $0 != "}" }
    let text =
      (imports + [""] + body.map { $0.dropFirst(2) }).joined(separator: "\n")
      .replacingOccurrences(of: "static func", with: "func") + "\n"
    #expect(block == text)

    let path = NSTemporaryDirectory() + "entia-readme-\(UUID().uuidString).sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix)
      {
        do { try FileManager.default.removeItem(atPath: path + suffix) } catch {
          Issue.record(error)
        }
      }
    }
    for number in 1...3 { #expect(try await KeepExample.editBlog(path: path) == number) }
  }
}
