import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Hostile imports")
struct HostileImportTests {
  private func repeated(_ text: String, _ count: Int = scaled(10_000)) -> String {
    String(repeating: text, count: count)
  }

  @Test(
    "Thousands of levels on a small stack, in every format: a value or a located problem",
    arguments: scaled(ImportFormat.allCases))
  func depth(format: ImportFormat) throws {
    let options = ImportOptions(format: format, schema: RandomGraph.schema, root: "nodes")
    let closers = repeated("]")
    for text in [
      repeated("["), repeated("[") + closers, repeated("{\"a\":"), repeated("{\"id\":1,\"next\":"),
      repeated("[{\"id\":1,\"others\":"), "{\"id\":1,\"x\":" + repeated("[") + closers + "}",
      "{\"nodes\":[{\"id\":1,\"x\":" + repeated("[") + closers + "}]}",
      "[{\"model\":\"a.nodes\",\"pk\":1,\"fields\":{\"x\":" + repeated("[") + closers + "}}]",
      "{\"schema\":" + repeated("{\"entities\":") + "1" + repeated("}") + "}",
      "{\"entities\":{},\"schema\":{\"entities\":{\"a\":" + repeated("{\"a\":") + "1"
        + repeated("}") + "}}}",
    ] {
      let isRight = try onSmallStack {
        let (database, report) = importing([text], options)
        return (database == nil) == !report.problems.isEmpty
      }
      expectTrue(isRight, "\(text.prefix(40))")
    }
  }

  @Test("a value nested tens of thousands of levels deep is kept, compared and written")
  func deepValue() throws {
    let depth = shortened(100_000)
    let deep = repeated("[{\"b\":0,\"a\":", depth) + "1" + repeated("}]", depth)
    let text = "[{\"id\":1,\"x\":\(deep)},{\"id\":1,\"x\":\(deep)}]"
    let (database, report) = importing([text])
    expectEqual(report.unchanged, 1)
    let bytes = try #require(database).write()
    expectEqual(RecordDatabase.read(ImportSource(name: "db", bytes: bytes)).database, database)
  }

  @Test("Many nested records without IDs are counted, in bounded memory and linear time")
  func deepProblems() throws {
    let options = ImportOptions(format: .nested, schema: RandomGraph.schema, root: "nodes")
    let count = shortened(100_000)
    let text = repeated("{\"next\":", count) + "null" + repeated("}", count)
    let nameless = importing([text], options)
    expectEqual(nameless.report.problems.reduce(0) { $0 + 1 + $1.more }, count)
    expectEqual(nameless.report.problems.count, 10_000)
    expectTrue(nameless.report.problems.allSatisfy { $0.path.utf8.count < 400 })
  }

  @Test("every truncation of a file in every shape is refused with a position inside it")
  func truncation() throws {
    var random = SeededGenerator(seed: 7)
    let graph = RandomGraph(using: &random)
    let files: [(ImportFormat, String)] = [
      (.nested, graph.nestedArray(depth: 2)), (.tables, graph.tables(asObjects: true)),
      (.django, graph.django),
    ]
    for (format, text) in files {
      let options = ImportOptions(format: format, schema: RandomGraph.schema, root: "nodes")
      expectTrue(importing([text], options).database != nil)
      let bytes = Array(text.utf8)
      for length in 0..<bytes.count {
        let source = ImportSource(name: "in.json", bytes: Array(bytes[..<length]))
        let (database, report) = Importer.importing([source], into: nil, options: options)
        expectNil(database)
        expectTrue(report.problems.contains { $0.kind == .malformedJSON })
        expectEqual(report.read, report.rejected)
      }
    }
  }

  @Test("IDs, names and values of any length and content")
  func oddContent() throws {
    let long = repeated("9", 1_000_000)
    let names = ["", "\\u0000", "a.b", "é", "e\u{301}", "\\\"", long]
    let rows = names.map { "{\"id\":\"\($0)\",\"\($0)x\":\(long),\"\($0)y\":\"\($0)\"}" }
    let text = "[\(rows.joined(separator: ",")),{\"id\":1\(long)}]"
    let (database, report) = importing([text])
    expectEqual(problems(report), [])
    expectEqual(database?.count, 8)
    let bytes = try #require(database).write()
    expectEqual(
      RecordDatabase.read(ImportSource(name: "db", bytes: bytes)).database?.write(), bytes)
  }

  @Test("rows of thousands of different shapes, and a row of tens of thousands of members")
  func manyShapes() throws {
    let rowCount = shortened(20_000)
    let rows = (0..<rowCount).map { "{\"m\($0)\":1,\"id\":\($0)}" }.joined(separator: ",")
    expectEqual(importing(["[\(rows)]"]).database?.count, rowCount)
    let memberCount = shortened(100_000)
    let members = (0..<memberCount).map { ",\"m\(memberCount - $0)\":1" }.joined()
    let (database, report) = importing(["[{\"id\":1\(members)},{\"id\":1\(members)}]"])
    expectEqual(report.unchanged, 1)
    expectEqual(database?.records.first?.members.count, memberCount)
  }
}
