import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// The laws of import and export over random graphs; a failure prints its seed.
@Suite("Laws 28 to 33")
struct ImportLawTests {
  private let options = ImportOptions(format: .nested, schema: RandomGraph.schema, root: "nodes")

  private func forEachSeed(
    _ runs: Int, isTree: Bool = false,
    _ body: (RandomGraph, inout SeededGenerator, String) throws -> Void
  ) throws {
    for seed in 0..<UInt64(scaled(runs)) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random, isTree: isTree)
      try body(graph, &random, "seed \(seed)")
    }
  }

  private func canonical(_ text: String) throws -> JSONText {
    try JSONText.parse(Array(text.utf8))
  }

  @Test("Law 28: denormalize(normalize(x)) == x for trees")
  func trees() throws {
    try forEachSeed(100, isTree: true) { graph, _, seed in
      let named = graph.named
      let roots = graph.rows.filter { $0.entity == "nodes" && !named.contains($0.id) }
      let text = "[" + roots.map { graph.nested($0, depth: 100) }.joined(separator: ",") + "]"
      let database = try #require(importing([text], options).database, "\(seed)")
      let nested = database.nested("nodes", ids: roots.map(\.id), depth: 100)
      try expectEqual(canonical(nested), canonical(text), "\(seed)")
      // Without IDs, the rows at the top come first, in the order of the input.
      let keys = database.result.flatMap(\.keys)
      expectEqual(keys, roots.map { .string($0.id) }, "\(seed)")
      guard case .array(let all) = try JSONValue.parse(Array(database.nested("nodes").utf8)) else {
        Issue.record("\(seed)")
        return
      }
      let others = graph.rows.map(\.id).filter { $0 < "p" && named.contains($0) }.sorted()
      expectEqual(all.map { $0["id"] }, (roots.map(\.id) + others).map { .string($0) }, "\(seed)")
    }
  }

  @Test("Law 28: with sharing and cycles, up to sharing, cut at the first repeat on a branch")
  func graphs() throws {
    try forEachSeed(100) { graph, _, seed in
      let text = graph.nestedArray(depth: 100)
      let database = try #require(importing([text], options).database, "\(seed)")
      for depth in [0, 1, 2, 5, 100] {
        let nested = database.nested("nodes", depth: depth)
        try expectEqual(canonical(nested), canonical(graph.nestedArray(depth: depth)), "\(seed)")
        // What was written nested is the same database when it is read again.
        if depth == 100 { expectEqual(importing([nested], options).database, database, "\(seed)") }
      }
    }
  }

  @Test("Law 29: a second import changes nothing")
  func idempotence() throws {
    try forEachSeed(34) { graph, random, seed in
      let text = graph.nestedArray(depth: Int.random(in: 0...3, using: &random))
      let first = try #require(importing([text], options).database, "\(seed)")
      let (second, report) = importing([text], into: first, options)
      expectEqual(second, first, "\(seed)")
      expectEqual(second?.write(), first.write(), "\(seed)")
      expectTrue(report.inserted == 0 && report.updated == 0, "\(seed)")
      expectEqual(report.unchanged, report.read, "\(seed)")
    }
  }

  @Test("Law 29: records in any order, in any number of files or imports, give the same rows")
  func splitting() throws {
    try forEachSeed(34) { graph, random, seed in
      // Partial records and several depths, so that rows are put together from many occurrences.
      var records = graph.nestedRecords(depth: 3) + graph.nestedRecords(depth: 1)
      for row in graph.rows where row.entity == "nodes" {
        var part = row
        part.plain.removeAll { _ in Bool.random(using: &random) }
        part.one.removeAll { _ in Bool.random(using: &random) }
        part.many.removeAll { _ in Bool.random(using: &random) }
        records.append(graph.flat(part))
      }
      let whole = importing(["[" + records.joined(separator: ",") + "]"], options)
      let bytes = try #require(whole.database, "\(seed)").canonicalRows
      for _ in 0..<3 {
        records.shuffle(using: &random)
        let cut = Int.random(in: 0...records.count, using: &random)
        let shards = [records[..<cut], records[cut...]].map {
          "[" + $0.joined(separator: ",") + "]"
        }
        let sharded = importing(shards, options).database
        expectEqual(sharded?.canonicalRows, bytes, "\(seed)")
        let joined = importing(["[" + records.joined(separator: ",") + "]"], options).database
        expectEqual(joined?.write(), sharded?.write(), "the order of the shards; \(seed)")
        let first = importing([shards[0]], options).database
        let second = importing([shards[1]], into: first, options).database
        expectEqual(second?.write(), sharded?.write(), "\(seed)")
        var lines = options
        lines.format = .ndjson
        let text = records.joined(separator: "\n")
        expectEqual(importing([text], lines).database?.write(), sharded?.write(), "\(seed)")
      }
    }
  }

  @Test("Law 30: an export imports to the same bytes, for every history")
  func roundTrip() throws {
    try forEachSeed(34) { graph, random, seed in
      let text = graph.nestedArray(depth: 3)
      let database = try #require(importing([text], options).database, "\(seed)")
      let bytes = database.write()
      let again = RecordDatabase.read(ImportSource(name: "db", bytes: bytes))
      expectEqual(again.database, database, "\(seed)")
      expectEqual(again.database?.write(), bytes, "\(seed)")
      expectEqual(again.database?.verifyProblems(file: "db"), [], "\(seed)")
      // Rows entered one by one, in another order, are the same database.
      var grown: RecordDatabase? = RecordDatabase()
      for record in graph.nestedRecords(depth: 3).shuffled(using: &random) {
        grown = importing([record], into: grown, options).database
      }
      expectEqual(grown?.canonicalRows, database.canonicalRows, "\(seed)")
    }
  }

  @Test("Law 31: one graph in every shape is one database")
  func shapes() throws {
    try forEachSeed(34) { graph, _, seed in
      var flat = options
      flat.format = .tables
      let database = try #require(
        importing([graph.tables(asObjects: true)], flat).database, "\(seed)")
      expectEqual(importing([graph.tables(asObjects: false)], flat).database, database, "\(seed)")
      expectEqual(
        RecordDatabase.read(ImportSource(name: "db", bytes: database.write())).database, database,
        "\(seed)")
      flat.format = .django
      expectEqual(importing([graph.django], flat).database, database, "\(seed)")
      flat.format = .jsonapi
      expectEqual(importing([graph.jsonAPI], flat).database, database, "\(seed)")
      flat.format = .graphql
      let described = importing([graph.graphQL], flat).database
      expectEqual(described?.table, database.table, "\(seed)")
      // Nested records hold only the people that a node names.
      let unnamed = graph.rows.filter { $0.entity == "people" && !graph.named.contains($0.id) }
      let rest = "{\"people\":[" + unnamed.map { graph.flat($0) }.joined(separator: ",") + "]}"
      let nested = importing([graph.nestedArray(depth: 3)], options).database
      flat.format = .tables
      expectEqual(importing([rest], into: nested, flat).database, database, "\(seed)")
      var lines = options
      lines.format = .ndjson
      let text = graph.nestedRecords(depth: 3).joined(separator: "\n")
      expectEqual(importing([text], lines).database, nested, "\(seed)")
    }
  }

  @Test("Law 32: every invalid record is reported with its path, and the target is unchanged")
  func badRecords() throws {
    let bad = [
      "{\"a\":1}", "{\"id\":null}", "7", "{\"id\":\"n0\",\"id\":\"n0\"}",
      "{\"id\":\"b\",\"next\":true}", "{\"id\":\"b\",\"others\":{}}",
    ]
    try forEachSeed(34) { graph, random, seed in
      let base = try #require(importing([graph.nestedArray(depth: 1)], options).database, "\(seed)")
      let before = base.write()
      var records = graph.nestedRecords(depth: 0).map { (text: $0, isBad: false) }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0...records.count, using: &random)
        records.insert((bad.randomElement(using: &random) ?? "7", true), at: index)
      }
      let text = "[" + records.map(\.text).joined(separator: ",") + "]"
      let (database, report) = importing([text], into: base, options)
      expectNil(database, "\(seed)")
      let places = Set(
        report.problems.filter { $0.severity == .error }.map { problem in
          String(problem.path.prefix { $0 != "]" }) + "]"
        })
      let expected = records.indices.filter { records[$0].isBad }.map { "$[\($0)]" }
      expectEqual(places, Set(expected), "\(seed)")
      expectTrue(
        report.problems.allSatisfy { $0.file == "in.json" && !$0.message.isEmpty }, "\(seed)")
      expectEqual(base.write(), before, "\(seed)")
    }
  }

  @Test("Law 33 holds, and nothing traps, for any damage of the bytes")
  func corruption() throws {
    try forEachSeed(50) { graph, random, seed in
      let shapes: [(ImportFormat, String)] = [
        (.nested, graph.nestedArray(depth: 2)), (.tables, graph.tables(asObjects: true)),
        (.django, graph.django), (.jsonapi, graph.jsonAPI), (.graphql, graph.graphQL),
        (.ndjson, graph.nestedRecords(depth: 1).joined(separator: "\n")),
      ]
      for (format, text) in shapes {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
          let index = bytes.indices.randomElement(using: &random) ?? 0
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.removeSubrange(index...)
          case 2: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
          default: bytes[index] = Array("{}[]\",:1n".utf8).randomElement(using: &random) ?? 0
          }
        }
        for format in [format, .auto] {
          var options = options
          options.format = format
          let source = ImportSource(name: "in.json", bytes: bytes)
          let (database, report) = Importer.importing([source], into: nil, options: options)
          let sum = report.inserted + report.updated + report.unchanged + report.rejected
          expectEqual(report.read, sum, "\(seed)")
          expectEqual(database == nil, report.isRefused, "\(seed)")
          database?.expectVerified(besidesDangling: !report.problems.isEmpty)
          expectTrue(report.problems.allSatisfy { $0.path.hasPrefix("$") }, "\(seed)")
        }
      }
    }
  }
}
