import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("The statistics of a database")
struct DatabaseStatisticsTests {
  private static let schema = """
    {"entities": {"nodes": {"relationships": {"next": {"to": "nodes"},
                                              "others": {"to": "nodes", "many": true}}},
                  "idle": {}}}
    """

  private func database(_ rows: String, results: String = "[]") throws -> RecordDatabase {
    let text = """
      {"schema": \(Self.schema), "entities": {"nodes": [\(rows)]}, "result": {"nodes": \(results)}}
      """
    return try #require(importing([text], ImportOptions(format: .tables)).database)
  }

  @Test("As text: rows, references, orphans, chains, cycles")
  func text() throws {
    let statistics = try database(
      """
      {"id": 1, "next": 2}, {"id": 2, "next": 3, "others": [4, 7, 7]}, {"id": 3, "next": 2},
      {"id": 4, "others": []}, {"id": 5, "next": 5}, {"id": 6, "next": null, "others": [4]}
      """, results: "[6]"
    ).statistics()
    expectEqual(
      statistics.text(),
      """
      rows: 6
        0 idle
        6 nodes, 1 of them results

      references: 8
        nodes.next -> nodes: 4 in 4 rows
          most to one row: 2, to nodes 2
        nodes.others -> nodes, to many: 4 in 2 rows
          most in one row: 3, in nodes 2
          most to one row: 2, to nodes 4

      orphans:
        2 dangling, to rows that do not exist
          2 of nodes.others
        2 unreferenced: no results, and no other row refers to them
          2 of nodes

      deepest chains:
        from nodes: 2 references: nodes 1 -> nodes 2 (a cycle of 2) -> nodes 4

      cycles: 2, with 3 rows
        largest: 2 rows, with nodes 2

      """)
  }

  @Test("As JSON, with chains in full")
  func json() throws {
    let statistics = try database(#"{"id": 1, "next": 2}, {"id": 2, "next": 2}"#).statistics()
    expectEqual(
      String(decoding: statistics.json(), as: UTF8.self),
      """
      {
        "rows": 2,
        "references": 2,
        "dangling": 0,
        "unreferenced": 1,
        "entities": {
          "idle": {"rows":0,"results":0,"unreferenced":0,"deepestChain":null},
          "nodes": {"rows":2,"results":0,"unreferenced":1,"deepestChain":\
      [{"entity":"nodes","id":1},{"entity":"nodes","id":2,"cycleRows":1}]}
        },
        "relationships": [
          {"entity":"nodes","name":"next","to":"nodes","many":false,"references":2,"holders":2,\
      "dangling":0,"largestFanOut":{"entity":"nodes","id":1,"count":1},\
      "largestFanIn":{"entity":"nodes","id":2,"count":2}},
          {"entity":"nodes","name":"others","to":"nodes","many":true,"references":0,"holders":0,\
      "dangling":0,"largestFanOut":null,"largestFanIn":null}
        ],
        "cycles": {
          "count": 1,
          "rows": 1,
          "largestRows": 1,
          "example": {"entity":"nodes","id":2}
        }
      }

      """)
    expectTrue(statistics.text().contains("nodes 1 -> nodes 2 (names itself)\n"))
  }

  @Test("An empty database has only zeros")
  func empty() {
    expectEqual(
      RecordDatabase().statistics().text(),
      """
      rows: 0

      references: 0

      orphans:
        no reference dangles
        no row is unreferenced

      deepest chains:

      cycles: none

      """)
  }

  @Test("Equal databases have equal statistics, in any order of rows and members")
  func orders() throws {
    let one = try database(
      """
      {"id": 1, "next": 2, "others": [3, 2]}, {"id": 2}, {"id": 3}, {"id": 4, "others": [2, 3]},
      {"id": 5, "next": 6, "others": [3, 2]}, {"id": 6, "next": 5}
      """)
    let other = try database(
      """
      {"id": 6, "next": 5}, {"id": 5, "others": [3, 2], "next": 6}, {"id": 4, "others": [2, 3]},
      {"id": 3}, {"id": 2}, {"others": [3, 2], "id": 1, "next": 2}
      """)
    expectTrue(one == other && one.statistics() == other.statistics())
    expectEqual(one.statistics().text(), other.statistics().text())
    expectEqual(one.statistics().json(), other.statistics().json())
  }

  @Test("A chain of 20,000 rows, and a ring of them, are followed to their ends")
  func long() throws {
    let count = 20_000
    func rows(_ last: String) -> String {
      (1...count).map { "{\"id\": \($0), \"next\": \($0 < count ? "\($0 + 1)" : last)}" }
        .joined(separator: ",")
    }
    let chain = try database(rows("null")).statistics()
    expectEqual(chain.tables[1].deepestChain?.length, count - 1)
    expectEqual(chain.cycles.count, 0)
    expectTrue(
      chain.text().contains(
        "nodes 1 -> nodes 2 -> nodes 3 -> … 19995 more … -> nodes 19999 -> nodes 20000\n"))
    let ring = try database(rows("1")).statistics()
    expectEqual(ring.tables[1].deepestChain?.length, 0)
    expectEqual(ring.cycles.largestRows, count)
    expectEqual(ring.unreferenced, 0)
  }

  @Test("Statistics equal a count by hand, and do not depend on the order of the rows")
  func law() throws {
    let options = ImportOptions(format: .tables, schema: RandomGraph.schema)
    for seed in 0..<UInt64(scaled(100)) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random)
      let database = try #require(importing([graph.tables(asObjects: true)], options).database)
      let statistics = database.statistics()
      expectEqual(statistics.rows, database.count, "seed \(seed)")
      let lists = Dictionary(
        uniqueKeysWithValues: database.records.map { ($0.id, named($0)) })
      expectEqual(statistics.references, lists.values.reduce(0) { $0 + $1.count }, "seed \(seed)")
      expectEqual(statistics.dangling, 0, "seed \(seed)")
      let unnamed = lists.keys.filter { id in
        !lists.contains { $0.key != id && $0.value.contains(id) }
      }
      expectEqual(statistics.unreferenced, unnamed.count, "seed \(seed)")

      // Rows of one cycle are those that reach each other.
      var reached: [RecordID: Set<RecordID>] = [:]
      for id in lists.keys {
        var open = lists[id] ?? []
        var seen: Set<RecordID> = []
        while let next = open.popLast() {
          if seen.insert(next).inserted { open += lists[next] ?? [] }
        }
        reached[id] = seen
      }
      let cyclic = lists.keys.filter { reached[$0]?.contains($0) == true }
      expectEqual(statistics.cycles.rows, cyclic.count, "seed \(seed)")
      func together(_ one: RecordID, _ other: RecordID) -> Bool {
        one == other
          || reached[one]?.contains(other) == true && reached[other]?.contains(one) == true
      }
      let classes = Set(cyclic.map { id in Set(cyclic.filter { together($0, id) }) })
      expectEqual(statistics.cycles.count, classes.count, "seed \(seed)")
      expectEqual(statistics.cycles.largestRows, classes.map(\.count).max() ?? 0, "seed \(seed)")

      // The longest way over rows where each cycle is one row.
      var depths: [RecordID: Int] = [:]
      func depth(_ id: RecordID) -> Int {
        if let known = depths[id] { return known }
        let rows = lists.keys.filter { together($0, id) }
        let next = rows.flatMap { lists[$0] ?? [] }.filter { !together($0, id) }
        let result = next.map { depth($0) + 1 }.max() ?? 0
        depths[id] = result
        return result
      }
      for table in statistics.tables {
        let ids = lists.keys.filter { $0.entity == table.entity }
        let deepest = ids.map(depth).max()
        expectEqual(table.deepestChain?.length, deepest, "seed \(seed)")
        let starts = ids.filter { depth($0) == deepest }
        expectEqual(table.deepestChain?.steps.first?.id, starts.min(), "seed \(seed)")
      }
    }
  }

  @Test("Equal databases have equal statistics in any order of their rows")
  func order() throws {
    for seed in 0..<UInt64(scaled(67)) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random)
      let lines = graph.nestedRecords(depth: 2)
      let options = ImportOptions(format: .ndjson, schema: RandomGraph.schema, root: "nodes")
      let one = try #require(importing([lines.joined(separator: "\n")], options).database)
      let other = try #require(
        importing([lines.shuffled(using: &random).joined(separator: "\n")], options).database)
      expectEqual(one.statistics(), other.statistics(), "seed \(seed)")
    }
  }

  /// The rows that a row names.
  private func named(_ record: Record) -> [RecordID] {
    record.members.flatMap { member -> [RecordID] in
      switch member.value {
      case .plain: []
      case .reference(let id): [id]
      case .references(let ids): ids
      }
    }
  }
}
