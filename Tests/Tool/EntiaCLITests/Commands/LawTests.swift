import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// The laws of import and export that only whole processes can show.
@Suite("Laws, across processes")
struct LawTests {
  private let folder: TemporaryFolder
  private let schema = "--schema Fixtures/blog/schema.json --root posts"

  init() throws {
    folder = try TemporaryFolder()
  }

  private func database(_ files: String...) throws -> Data {
    let files = files.map { "Fixtures/blog/" + $0 }.joined(separator: " ")
    let outcome = try EntiaProcess.run("import \(files) \(schema) --format auto -o -")
    try #require(outcome.exitCode == 0, "\(outcome.errorText)")
    return outcome.output
  }

  @Test("Law 28: denormalized output imports to the database that it came from")
  func denormalizedImports() throws {
    let nested = try EntiaProcess.run(
      "denormalize Fixtures/blog/expected.json --entity posts --depth 2")
    let again = try EntiaProcess.run(
      "import - \(schema) -o -".split(separator: " ").map(String.init), input: nested.output)
    // The order of a row's members is that of its first occurrence.
    try expectEqual(
      JSONText.parse(Array(again.output)), JSONText.parse(Array(database("posts.json"))))
  }

  @Test("Law 29: several files are one import, in any order")
  func order() throws {
    let one = try database("posts.json")
    try expectEqual(database("posts.ndjson", "tables.json", "django.json"), one)
    try expectEqual(database("django.json", "posts.ndjson", "tables.json"), one)
  }

  @Test("Law 29: the lines of a file, each a file of its own, in any order, are its rows")
  func split() throws {
    let text = try String(
      contentsOf: Repository.root.appending(path: "Fixtures/blog/posts.ndjson"), encoding: .utf8)
    let shards = try text.split(separator: "\n").enumerated().map { index, line in
      try folder.write(line + "\n", to: "\(index).ndjson")
    }
    let whole = String(decoding: try database("posts.ndjson"), as: UTF8.self)
    let result = "  \"result\": {"
    let rows = try #require(whole.components(separatedBy: result).first)
    let ids = text.split(separator: "\n").compactMap { $0.firstMatch(of: /"id": *("p\d+")/)?.1 }
    expectEqual(ids.count, shards.count)
    for order in [Array(ids.indices), ids.indices.reversed(), ids.indices.shuffled()] {
      let files = order.map { shards[$0] }.joined(separator: " ")
      let outcome = try EntiaProcess.run("import \(files) --format ndjson \(schema) -o -")
      let parts = outcome.outputText.components(separatedBy: result)
      expectEqual(parts.first, rows, "\(files)")
      let list = order.map { ids[$0] }.joined(separator: ",")
      expectEqual(parts.last, "\n    \"posts\": [\(list)]\n  }\n}\n", "\(files)")
    }
  }

  @Test("Law 30: every process writes the same bytes, and its own output imports to them again")
  func sameBytes() throws {
    let first = try database("posts.json")
    for _ in 0..<5 { try expectEqual(database("posts.json"), first) }
    let again = try EntiaProcess.run(["import", "-", "-o", "-"], input: first)
    expectEqual(again.exitCode, 0)
    expectEqual(again.output, first)
  }

  @Test(
    "Law 31: one graph in every shape is one database",
    arguments: ["posts.ndjson", "tables.json", "rows.json", "django.json"])
  func shapes(file: String) throws {
    try expectEqual(database(file), database("posts.json"))
  }

  @Test("Law 32: an invalid record in any file leaves the target unchanged")
  func untouched() throws {
    let database = folder.path("db.json")
    let good = "Fixtures/blog/posts.json"
    try expectEqual(EntiaProcess.run("import \(good) \(schema) -o \(database)").exitCode, 0)
    let before = try folder.text(of: "db.json")
    for name in try FixtureTests.badFiles()
    where name.hasSuffix(".json") && name != "schema-target.json" {
      for files in ["\(good) Fixtures/bad/\(name)", "Fixtures/bad/\(name) \(good)"] {
        let outcome = try EntiaProcess.run(
          "import \(files) \(schema) --format auto --into \(database) -o \(database)")
        expectEqual(outcome.exitCode, 65, "\(name): \(outcome.errorText)")
        expectTrue(outcome.errorText.contains("Fixtures/bad/\(name): $"), "\(name)")
        try expectEqual(folder.text(of: "db.json"), before, "\(name)")
        try expectEqual(folder.names(), ["db.json"], "\(name)")
      }
    }
  }
}
