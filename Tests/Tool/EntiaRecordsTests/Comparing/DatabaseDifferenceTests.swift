import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("The difference of two databases")
struct DatabaseDifferenceTests {
  private func database(_ text: String) throws -> RecordDatabase {
    let (database, report) = importing([text], ImportOptions(format: .tables))
    return try #require(database, "\(problems(report))")
  }

  private let old = """
    {"schema": {"entities": {"authors": {}, "posts": {"relationships": {
       "author": {"to": "authors"}, "editor": {"to": "authors"}}}, "tags": {}}},
     "entities": {"authors": {"a1": {"id": "a1", "name": "Ann"}, "a2": {"id": "a2", "name": "Bob"}},
                  "posts": {"1": {"id": 1, "author": "a1", "views": 1.50, "where": null},
                            "9": {"id": 9, "author": null}}},
     "result": {"posts": [1, 9]}}
    """
  private let new = """
    {"schema": {"entities": {"authors": {"id": "key"}, "posts": {"relationships": {
       "author": {"to": "authors", "many": true}, "critic": {"to": "authors"}}}, "users": {}}},
     "entities": {"authors": {"a1": {"key": "a1", "name": "Ann"}, "a3": {"key": "a3"}},
                  "posts": {"9": {"id": 9, "author": []},
                            "10": {"id": 10, "author": ["a1"]},
                            "1": {"id": 1, "author": ["a3", "a1"], "views": 1.5, "seen": true}}},
     "result": {"posts": [9, 10]}}
    """

  @Test("As text: schema, rows by ID, members, results")
  func text() throws {
    let difference = try database(new).difference(from: database(old))
    expectEqual(
      difference.text(),
      """
      schema: 6 changed
        ~ authors: ID in "id" -> "key"
        ~ posts.author: to one of authors -> to many of authors
        + posts.critic: to one of authors
        - posts.editor: to one of authors
        - tags
        + users
      authors: 1 inserted, 1 removed
        + "a3" {"key":"a3"}
        - "a2" {"key":"a2","name":"Bob"}
      posts: 1 inserted, 2 updated
        + 10 {"id":10,"author":["a1"]}
        ~ 1
            author: "a1" -> ["a3","a1"]
            seen: (none) -> true
            views: 1.50 -> 1.5
            where: null -> (none)
        ~ 9
            author: null -> []
      result of posts: 1 inserted, 1 removed
        + 10
        - 1
      13 differences

      """)
    expectFalse(difference.isEmpty)
  }

  @Test("As JSON, with every value in full")
  func json() throws {
    let difference = try database(new).difference(from: database(old))
    expectEqual(
      String(decoding: difference.json(), as: UTF8.self),
      """
      {
        "schema": [
          {"entity":"authors","change":"id","old":"id","new":"key"},
          {"entity":"posts","change":"relationship","relationship":"author",\
      "old":{"to":"authors"},"new":{"to":"authors","many":true}},
          {"entity":"posts","change":"relationship","relationship":"critic",\
      "old":null,"new":{"to":"authors"}},
          {"entity":"posts","change":"relationship","relationship":"editor",\
      "old":{"to":"authors"},"new":null},
          {"entity":"tags","change":"removed"},
          {"entity":"users","change":"inserted"}
        ],
        "entities": {
          "authors": {
            "inserted": [
              {"key":"a3"}
            ],
            "removed": [
              {"key":"a2","name":"Bob"}
            ],
            "updated": []
          },
          "posts": {
            "inserted": [
              {"id":10,"author":["a1"]}
            ],
            "removed": [],
            "updated": [
              {"id":1,"fields":{"author":{"old":"a1","new":["a3","a1"]},"seen":{"new":true},\
      "views":{"old":1.50,"new":1.5},"where":{"old":null}}},
              {"id":9,"fields":{"author":{"old":null,"new":[]}}}
            ]
          }
        },
        "result": {
          "posts": {"inserted":[10],"removed":[1]}
        }
      }

      """)
  }

  @Test("Equal databases have no difference, in any order of their rows")
  func equal() throws {
    let rows = try database(#"{"a": [{"id": 1, "x": 1}, {"id": 2}], "b": []}"#)
    let same = try database(#"{"b": [], "a": [{"id": 2}, {"x": 1, "id": 1}]}"#)
    let difference = same.difference(from: rows)
    expectTrue(difference.isEmpty)
    expectEqual(difference.text(), "no differences\n")
    let empty = "{\n  \"schema\": [],\n  \"entities\": {},\n  \"result\": {}\n}\n"
    expectEqual(String(decoding: difference.json(), as: UTF8.self), empty)
  }

  @Test("Long texts are shortened to where they differ")
  func long() throws {
    let same = String(repeating: "x", count: 500)
    let before = try database("{\"a\": [{\"id\": 1, \"t\": \"\(same) old \(same)\"}]}")
    let after = try database("{\"a\": [{\"id\": 1, \"t\": \"\(same) new \(same)\"}]}")
    let text = after.difference(from: before).text()
    expectTrue(text.contains("xxx old xxx"))
    expectTrue(text.contains("xxx new xxx"))
    #expect(text.utf8.count < 400)
  }

  @Test(
    "A difference is empty if and only if the databases are equal, and describes how to get from one to the other"
  )
  func law() throws {
    let options = ImportOptions(format: .nested, schema: RandomGraph.schema, root: "nodes")
    var equal = 0
    for seed in 0..<UInt64(scaled(150)) {
      var random = SeededGenerator(seed: seed)
      let graphs = (0..<2).map { _ in RandomGraph(using: &random) }
      let texts = graphs.map { $0.nestedArray(depth: 3) }
      let old = try #require(importing([texts[0]], options).database)
      let isSame = Bool.random(using: &random)
      let new = try #require(importing([isSame ? texts[0] : texts[1]], options).database)
      let difference = new.difference(from: old)
      expectEqual(difference.isEmpty, old == new, "seed \(seed)")
      equal += old == new ? 1 : 0

      var rows: [RecordID: [String: RecordValue]] = [:]
      func members(_ record: Record) -> [String: RecordValue] {
        Dictionary(uniqueKeysWithValues: record.members.map { ($0.name, $0.value) })
      }
      for record in old.records { rows[record.id] = members(record) }
      for table in difference.tables {
        for record in table.removed {
          expectEqual(rows.removeValue(forKey: record.id), members(record), "seed \(seed)")
        }
        for record in table.inserted {
          expectNil(rows.updateValue(members(record), forKey: record.id), "seed \(seed)")
        }
        for update in table.updated {
          expectFalse(update.fields.isEmpty, "seed \(seed)")
          for field in update.fields {
            expectEqual(rows[update.id]?[field.name], field.old, "seed \(seed)")
            expectTrue(field.old != field.new, "seed \(seed)")
            rows[update.id]?[field.name] = field.new
          }
        }
      }
      let expected = Dictionary(uniqueKeysWithValues: new.records.map { ($0.id, members($0)) })
      expectEqual(rows, expected, "seed \(seed)")
    }
    #expect(equal > scaled(50))
  }
}
