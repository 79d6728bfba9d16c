import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// Every fixture against what it must give, byte for byte.
///
/// `ENTIA_RECORD_FIXTURES=1` writes what the tool gives now instead; read the difference before
/// believing it.
@Suite("Fixtures")
struct FixtureTests {
  /// A run of the tool and the file that holds what it must print.
  struct Golden: CustomTestStringConvertible, Sendable {
    let words: String
    let expected: String
    var exitCode: Int32 = 0

    var testDescription: String { "entia \(words)" }
  }

  private static func blog(_ file: String, expected: String = "blog/expected.json") -> Golden {
    Golden(
      words: "import Fixtures/blog/\(file) --schema Fixtures/blog/schema.json --root posts -o -",
      expected: expected)
  }

  private static func music(_ file: String) -> Golden {
    Golden(
      words: "import Fixtures/music/\(file) --schema Fixtures/music/schema.json"
        + " --root playlisttrack -o -", expected: "music/expected.json")
  }

  private static func nested(_ folder: String, _ root: String) -> [Golden] {
    let line = "import Fixtures/\(folder)/\(root).json --schema Fixtures/\(folder)/schema.json"
    return [
      Golden(words: line + " --root \(root) -o -", expected: "\(folder)/expected.json"),
      Golden(
        words: line + " --root \(root) --report json", expected: "\(folder)/report.expected.json"),
    ]
  }

  static let goldens: [Golden] =
    ["posts.json", "posts.ndjson", "tables.json", "rows.json", "django.json"].map { blog($0) }
    + ["django.json", "tables.json", "nested.json", "jsonapi.json"].map { music($0) }
    + nested("blog", "posts") + nested("cycle", "people") + nested("shared", "orders")
    + nested("dangling", "posts") + nested("partial", "posts") + nested("gallery", "albums")
    + [
      Golden(
        words: "import Fixtures/described/jsonapi.json -o -", expected: "described/expected.json"),
      Golden(
        words: "import Fixtures/described/keyed.json --schema Fixtures/described/keyed.schema.json"
          + " --root posts -o -",
        expected: "described/expected.json"),
      Golden(
        words: "import Fixtures/described/graphql.json --schema"
          + " Fixtures/described/graphql.schema.json -o -",
        expected: "described/graphql.expected.json"),
      Golden(
        words: "denormalize Fixtures/gallery/expected.json --entity albums --depth 9",
        expected: "gallery/denormalized.expected.json"),
      Golden(
        words: "import Fixtures/cycle/tables.json --schema Fixtures/cycle/schema.json -o -",
        expected: "cycle/tables.expected.json"),
      Golden(
        words: "import Fixtures/dangling/posts.json --schema Fixtures/dangling/schema.json"
          + " --root posts --strict --report json",
        expected: "dangling/strict.expected.json", exitCode: 65),
      Golden(
        words: "verify Fixtures/dangling/expected.json --report json",
        expected: "dangling/verify.expected.json", exitCode: 65),
      Golden(
        words: "verify Fixtures/blog/expected.json --report json",
        expected: "blog/verify.expected.json"),
      Golden(
        words: "denormalize Fixtures/blog/expected.json --entity posts --depth 2",
        expected: "blog/denormalized.expected.json"),
      Golden(
        words: "denormalize Fixtures/cycle/expected.json --entity people --depth 9",
        expected: "cycle/denormalized.expected.json"),
      Golden(
        words: "denormalize Fixtures/shared/expected.json --entity orders --depth 3",
        expected: "shared/denormalized.expected.json"),
    ]

  @Test("Each fixture has its expected output, byte for byte", arguments: goldens)
  func golden(_ golden: Golden) throws {
    let outcome = try EntiaProcess.run(golden.words)
    expectEqual(outcome.exitCode, golden.exitCode, "\(outcome.errorText)")
    try compare(outcome.output, with: golden.expected)
  }

  static func badFiles() throws -> [String] {
    let folder = Repository.root.appending(path: "Fixtures/bad").path(percentEncoded: false)
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
      !$0.hasSuffix("schema.json") && !$0.hasSuffix(".expected.json")
    }
  }

  @Test("Bad input is 65, with every problem listed and nothing written")
  func badFiles() throws {
    let names = try Self.badFiles()
    #expect(names.count > 25)
    for name in names {
      let stem = name.prefix { $0 != "." }
      let shape = name.dropFirst(stem.count + 1).prefix { $0 != "." }
      let own = "Fixtures/bad/\(stem).schema.json"
      let hasOwn = FileManager.default.fileExists(
        atPath: Repository.root.appending(path: own).path(percentEncoded: false))
      let folder = try TemporaryFolder()
      let outcome = try EntiaProcess.run([
        "import", "Fixtures/bad/\(name)", "--format", shape == "json" ? "nested" : String(shape),
        "--schema", hasOwn ? own : "Fixtures/bad/schema.json", "--root", "posts", "--report",
        "json", "-o", folder.path("out.json"),
      ])
      expectEqual(outcome.exitCode, 65, "\(name)")
      expectEqual(outcome.errorText, "", "\(name)")
      try expectEqual(folder.names(), [], "\(name)")
      try compare(outcome.output, with: "bad/\(stem).expected.json")
      try checkRefusal(outcome.output, name)
    }
  }

  @Test("Denormalizing the imported blog to its depth gives the blog")
  func roundTrip() throws {
    func objects(_ name: String) throws -> [NSDictionary] {
      // 1e400 is beyond Foundation's numbers; all others are compared.
      let text = try String(
        contentsOf: Repository.root.appending(path: "Fixtures/blog/\(name)"), encoding: .utf8
      ).replacing("1e400", with: "\"1e400\"")
      let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
      return try #require(parsed as? [NSDictionary]).sorted {
        "\($0["id"] ?? "")" < "\($1["id"] ?? "")"
      }
    }
    try expectEqual(objects("denormalized.expected.json"), objects("posts.json"))
  }

  @Test("An album denormalized has its types, and no ID where it had none")
  func gallery() throws {
    func objects(_ name: String) throws -> NSArray {
      let data = try Data(
        contentsOf: Repository.root.appending(path: "Fixtures/gallery/\(name)"))
      return try #require(try JSONSerialization.jsonObject(with: data) as? NSArray)
    }
    let back = try objects("denormalized.expected.json")
    let before = try objects("albums.json")
    expectEqual(back.count, before.count)
    for (one, other) in zip(back, before) {
      let one = try #require(one as? NSDictionary)
      let other = try #require(other as? NSDictionary)
      // A cover is a reference in the file, and the whole photo in what is written out.
      for key in ["items", "notes", "prices", "title", "id"] {
        expectEqual(one[key] as? NSObject, other[key] as? NSObject)
      }
    }
  }

  /// Law 33, and that a refused import changed nothing.
  private func checkRefusal(_ report: Data, _ name: String) throws {
    let counts = try #require(
      try JSONSerialization.jsonObject(with: report) as? [String: Any], "\(name)")
    expectEqual(counts["inserted"] as? Int, 0, "\(name)")
    expectEqual(counts["updated"] as? Int, 0, "\(name)")
    expectEqual(counts["read"] as? Int, counts["rejected"] as? Int, "\(name)")
    let problems = try #require(counts["problems"] as? [[String: Any]], "\(name)")
    expectTrue(problems.contains { $0["severity"] as? String == "error" }, "\(name)")
  }

  private func compare(_ output: Data, with name: String) throws {
    let url = Repository.root.appending(path: "Fixtures/\(name)")
    if ProcessInfo.processInfo.environment["ENTIA_RECORD_FIXTURES"] == "1" {
      try output.write(to: url)
    }
    let expected = try Data(contentsOf: url)
    expectEqual(output, expected, "differs from Fixtures/\(name)")
  }
}
