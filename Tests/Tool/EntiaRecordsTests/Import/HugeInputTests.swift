import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaRecords

/// Inputs made to fill memory or to take for ever. `ENTIA_CI_SLOW=1` takes them at full size.
@Suite("Huge inputs")
struct HugeInputTests {
  private static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"
  private let options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
  private static let space = UInt8(ascii: " ")

  @Test("a string of 100 MB is read to its end, and one without an end is reported there")
  func string() throws {
    let count = Self.isSlow ? 100_000_000 : 2_500_000
    let text = StreamedText([
      .text("[{\"id\":\"p1\",\"title\":\""), .bytes(UInt8(ascii: "x"), count: count),
      .text("\"},{\"id\":\"p2\"}]"),
    ])
    let (database, report) = Importer.importing([text.source()], into: nil, options: options)
    expectEqual(problems(report), [])
    let row = try #require(database?.record(RecordID(entity: "posts", key: .string("p1"))))
    guard case .plain(let title) = row["title"] else {
      Issue.record("no title")
      return
    }
    expectEqual(title.text.utf8.count, count + 2)
    // What is read at once grows with what must be kept, and no further.
    #expect(text.demand.largestPiece <= count + (4 << 20))

    let open = StreamedText([
      .text("[{\"id\":\"p1\",\"title\":\""), .bytes(UInt8(ascii: "x"), count: count),
    ])
    let refused = Importer.importing([open.source()], into: nil, options: options)
    expectNil(refused.database)
    expectEqual(
      problems(refused.report),
      [
        "in.json: $[0].title: error: malformedJSON: the text ends inside a string at line 1, column "
          + "\(22 + count) (byte \(21 + count))"
      ])
  }

  @Test(
    "billions of spaces between records are skipped in bounded memory",
    arguments: [ImportFormat.nested, .tables, .ndjson, .django, .jsonapi])
  func spaces(_ format: ImportFormat) throws {
    let count = Self.isSlow ? 1_000_000_000 : 1_800_000
    func spaces(_ byte: UInt8 = Self.space) -> StreamedText.Part { .bytes(byte, count: count / 3) }
    let newline = UInt8(ascii: "\n")
    let parts: [StreamedText.Part] =
      switch format {
      case .tables:
        [
          spaces(), .text("{\"posts\":"), spaces(), .text("{\"p1\":{\"id\":\"p1\"}"), spaces(),
          .text("}}"),
        ]
      case .ndjson:
        [spaces(newline), spaces(), .text("{\"id\":\"p1\"}\n"), spaces(newline)]
      case .django:
        [
          spaces(), .text("[{\"model\":\"b.posts\",\"pk\":\"p1\",\"fields\":{}}"), spaces(),
          .text("]"), spaces(),
        ]
      case .jsonapi:
        [
          spaces(), .text("{\"data\":["), spaces(), .text("{\"type\":\"posts\",\"id\":\"p1\"}"),
          spaces(), .text("]}"),
        ]
      default:
        [spaces(), .text("["), spaces(), .text("{\"id\":\"p1\"}"), spaces(), .text("]")]
      }
    let text = StreamedText(parts)
    var options = options
    options.format = format
    let (database, report) = Importer.importing([text.source()], into: nil, options: options)
    expectEqual(problems(report), [])
    expectEqual(database?.count, 1)
    #expect(text.demand.bytes >= count / 3 * 3)
    #expect(text.demand.largestPiece <= 2 << 20)
  }

  @Test("an ID, a value and a reference of a million digits keep all of them")
  func number() throws {
    let digits = Self.isSlow ? 1_000_000 : 200_000
    let text = StreamedText([
      .text("[{\"id\":"), .bytes(UInt8(ascii: "7"), count: digits), .text(",\"author\":"),
      .bytes(UInt8(ascii: "8"), count: digits), .text("},{\"id\":"),
      .bytes(UInt8(ascii: "7"), count: digits - 1), .text("8,\"title\":-0."),
      .bytes(UInt8(ascii: "0"), count: digits), .text("1}]"),
    ])
    let (database, report) = Importer.importing([text.source()], into: nil, options: options)
    expectEqual(report.problems.map(\.kind), [.danglingReference])
    expectTrue(report.problems.allSatisfy { $0.message.utf8.count < 300 })
    expectEqual(database?.count, 2)
    let bytes = try #require(database).write()
    #expect(bytes.count > 5 * digits)
    expectEqual(
      RecordDatabase.read(ImportSource(name: "db", bytes: bytes)).database?.write(), bytes)
  }

  /// Strings of one length that all have the same hash in the way of many libraries:
  /// `31 × hash + letter`, in which `Aa` is `BB`.
  private func alike(_ bits: Int) -> [String] {
    (0..<1 << bits).map { number in
      (0..<bits).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }.joined()
    }
  }

  @Test("keys that are chosen to collide are no slower, as IDs and as names")
  func collisions() throws {
    let keys = alike(Self.isSlow ? 16 : 13)
    let entity = EntityName("posts")
    let hashes = Set(keys.map { RecordIDNode(entity: entity, key: .string($0)).hash >> 32 })
    #expect(hashes.count > keys.count * 99 / 100)
    let rows = keys.map { "{\"id\":\"\($0)\",\"author\":\"\($0)\"}" }
    let members = keys.map { "\"\($0)\":1" }.joined(separator: ",")
    let text = "[" + rows.joined(separator: ",") + ",{\"id\":\"x\",\(members)}]"
    let (database, report) = importing([text, text], options)
    expectEqual(database?.count, keys.count + 1)
    expectEqual(report.unchanged, keys.count + 1)
    // Numbers that differ in their upper digits only, and texts in the middle of a long one.
    let numbers = Set(
      (1...4096).map {
        RecordIDNode(entity: entity, key: .number(JSONNumber($0 << 40))).hash >> 32
      })
    #expect(numbers.count > 4050)
  }

  @Test("a type at the end of each of many levels is found in one pass")
  func types() {
    let levels = Self.isSlow ? 100_000 : 10_000
    let schema = Schema([
      Schema.Entity(
        "nodes", relationships: [Schema.Relationship("next", to: ["node": "nodes"])])
    ])
    var text = ""
    for level in 0..<levels { text += "{\"id\":\(level),\"next\":" }
    text += "null" + String(repeating: ",\"type\":\"node\"}", count: levels)
    let options = ImportOptions(format: .nested, schema: schema, root: "nodes")
    let (database, report) = importing([text], options)
    expectEqual(problems(report), [])
    expectEqual(database?.count, levels)
    // Pieces move what is looked for, and what was found.
    let source = StreamedText([.text(text)]).source()
    expectEqual(Importer.importing([source], into: nil, options: options).database, database)
  }
}
