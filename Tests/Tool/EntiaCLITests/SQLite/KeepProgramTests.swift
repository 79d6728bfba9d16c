import EntiaDatabase
import EntiaRecords
import EntiaSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("The guide: a whole program")
struct KeepProgramTests {
  @Test("The program is compiled as written")
  func text() throws {
    let article = try String(
      contentsOf: Repository.root.appending(
        path: "Sources/Library/Entia/Entia.docc/Concepts/Keeping.md"), encoding: .utf8)
    let source = try String(
      contentsOf: Repository.root.appending(path: "Tests/Support/EntiaKeepExample/main.swift"),
      encoding: .utf8)
    let block = article.components(separatedBy: "\n## A whole program\n").last?
      .components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```").first
    expectEqual(block, source.split(separator: "\n", maxSplits: 1).last.map(String.init))
  }

  @Test("From an import to a program that is killed and finds everything acknowledged")
  func killed() throws {
    let folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: Repository.root.appending(path: "Fixtures/blog/expected.json"))
    let path = try folder.write(try database([UInt8](bytes)))
    var saved = 6
    for _ in 0..<3 {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "EntiaKeepExample")
      process.arguments = [path]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      var text = ""
      // The output is buffered.
      while text.components(separatedBy: "\n").count < 100 {
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { break }
        text += String(decoding: data, as: UTF8.self)
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let lines = text.components(separatedBy: "\n").dropLast()
      try #require(lines.count >= 99, "\(text)")
      let found = try #require(
        lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      #expect(found >= saved)
      saved = found + lines.count - 1
      expectEqual(lines.last, "saved n\(saved - 1)")
    }
    let posts = try database(try RecordFile.read(path).json).table
      .filter { $0.id.entity == "posts" }
    #expect(posts.count >= saved)
  }
}
