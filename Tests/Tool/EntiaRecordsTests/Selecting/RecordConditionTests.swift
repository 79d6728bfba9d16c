import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Conditions")
struct RecordConditionTests {
  private static let database = """
    {"schema": {"entities": {"authors": {"id": "name"}, "tags": {},
      "posts": {"relationships": {"author": {"to": "authors"}, "tags": {"to": "tags", "many": true}}}}},
    "entities": {
      "authors": [{"name": "ann"}, {"name": "7"}], "tags": [{"id": 1}, {"id": 2}],
      "posts": [
        {"id": 1, "year": 1999, "title": "On \\"light\\"", "author": "ann", "tags": [1, 2], "is hot": true},
        {"id": 2, "year": 2000.0, "title": "Ünder", "author": "7", "tags": [2], "words": ["a", 3, null]},
        {"id": 3, "year": 2e3, "title": "", "author": null, "tags": [], "words": "abc"},
        {"id": 10, "year": "2001", "title": null, "is hot": false, "words": {"a": 1}}
      ]}, "result": {}}
    """

  private func database() throws -> RecordDatabase {
    let (database, report) = RecordDatabase.read(
      ImportSource(name: "db", bytes: Array(Self.database.utf8)))
    return try #require(database, "\(problems(report))")
  }

  private func ids(_ condition: String) throws -> [String] {
    let condition = try RecordCondition.parse(condition)
    return try database().rows(RecordSelection(of: "posts", where: condition)).map(\.id.key.text)
  }

  @Test(
    "not, in and members of objects",
    arguments: [
      ("not n = 1", ["2", "3"]), ("not (n = 1 or n = 2)", ["3"]), ("not not n = 1", ["1"]),
      ("n in (1, 3)", ["1", "3"]), ("n not in (1,3)", ["2"]), ("n IN (2)", ["2"]),
      ("s in ('a','b')", ["1", "2"]), ("s in (null, \"b\")", ["2", "3"]),
      ("s not contains 'a'", ["2", "3"]), ("not s in ('a') and n < 3", ["2"]),
      ("where.place = 'x'", ["1"]), ("where.place.deep = 5", ["2"]), ("\"where.place\" = 7", ["3"]),
      ("where.place = null", []), ("where.none = null", ["1", "2", "3"]), ("a.b.c = 1", ["3"]),
    ] as [(String, [String])])
  func operators(condition: String, expected: [String]) throws {
    let text = """
      {"l": [{"id": 1, "n": 1, "s": "a", "where": {"place": "x"}},
        {"id": 2, "n": 2, "s": "b", "where": {"place": {"deep": 5}}},
        {"id": 3, "n": 3, "where": {"place": "x"}, "where.place": 7, "a.b": {"c": 1}}]}
      """
    let source = ImportSource(name: "l.json", bytes: Array(text.utf8))
    let database = try #require(RecordDatabase.read(source).database)
    let rows = try database.rows(
      RecordSelection(of: "l", where: RecordCondition.parse(condition)))
    expectEqual(rows.map(\.id.key.text), expected)
  }

  @Test("a nested member is sorted by, and its object has to be known")
  func sortedByNested() throws {
    let text = #"{"l": [{"id": 1, "w": {"p": 2}}, {"id": 2, "w": {"p": 1}}]}"#
    let source = ImportSource(name: "l.json", bytes: Array(text.utf8))
    let database = try #require(RecordDatabase.read(source).database)
    let rows = try database.rows(
      RecordSelection(of: "l", sortedBy: [RecordSelection.Order("w.p")]))
    expectEqual(rows.map(\.id.key.text), ["2", "1"])
    #expect(throws: SelectionProblem.self) {
      try database.rows(RecordSelection(of: "l", where: RecordCondition.parse("x.p = 1")))
    }
    for wrong in ["n in 1", "n in ()", "n in (1", "n in (1 2)", "n not = 1", "not"] {
      #expect(throws: ConditionError.self) { try RecordCondition.parse(wrong) }
    }
  }

  @Test(
    "Each comparison selects the rows that fulfil it",
    arguments: [
      // Numbers, by value.
      ("year = 2000", "2 3"), ("year != 2000", "1 10"), ("year < 2000", "1"),
      ("year <= 2000", "1 2 3"), ("year > 1999", "2 3"), ("year >= 1999.0", "1 2 3"),
      ("year = -1", ""), ("year = \"2001\"", "10"), ("year > \"2000\"", "10"),
      // Strings, by UTF-8.
      ("title = \"\"", "3"), ("title > \"P\"", "2"), ("title = \"On \\\"light\\\"\"", "1"),
      ("title = 'On \"light\"'", "1"), ("title contains 'light'", "1"),
      ("title contains \"nder\"", "2"), ("title contains ''", "1 2 3"),
      // null, and members that rows lack.
      ("title = null", "10"), ("title != null", "1 2 3"), ("author = null", "3 10"),
      ("words = null", "1"), ("\"is hot\" = null", "2 3"),
      // Booleans.
      ("\"is hot\" = true", "1"), ("\"is hot\" != true", "2 3 10"), ("\"is hot\" = false", "10"),
      // IDs and references, by their text.
      ("id = 10", "10"), ("id = '10'", "10"), ("id > 2", "3 10"), ("author = \"ann\"", "1"),
      ("author = 7", "2"), ("author > 'a'", "1"), ("tags contains 2", "1 2"),
      ("tags contains '1'", "1"), ("tags = 1", ""),
      // Lists.
      ("words contains 3", "2"), ("words contains 'a'", "2 3"), ("words contains null", "2"),
      ("words contains 'c'", "3"), ("words contains true", ""),
      // Joined.
      ("year = 2000 and author = null", "3"), ("id = 1 or id = 10", "1 10"),
      ("id = 1 or id = 2 and year = 0", "1"), ("(id = 1 or id = 2) and year >= 2000", "2"),
      ("((id = 1))", "1"), ("id=1 OR id!=1 AND id<3", "1 2"),
    ])
  func comparisons(condition: String, expected: String) throws {
    try expectEqual(ids(condition).joined(separator: " "), expected, "\(condition)")
  }

  @Test("A composite ID is compared and sorted as a whole under its joined name")
  func compositeID() throws {
    let text = """
      {"schema": {"entities": {"l": {"id": ["o", "n"]}}},
      "entities": {"l": [{"o": 1, "n": 2}, {"o": 2, "n": 1}, {"o": 1, "n": 1}]}}
      """
    let database = try #require(
      RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8))).database)
    func ids(_ condition: String) throws -> [String] {
      try database.rows(RecordSelection(of: "l", where: RecordCondition.parse(condition)))
        .map(\.id.key.text)
    }
    try expectEqual(ids("\"o+n\" = '1/2'"), ["1/2"])
    try expectEqual(ids("\"o+n\" = null"), [])
    try expectEqual(ids("\"o+n\" > '1/1'"), ["1/2", "2/1"])
    try expectEqual(ids("o = 1 and n = 1"), ["1/1"])
    let order = RecordSelection.Order("o+n", isDescending: true)
    try expectEqual(
      database.rows(RecordSelection(of: "l", sortedBy: [order])).map(\.id.key.text),
      ["2/1", "1/2", "1/1"])
  }

  @Test(
    "An invalid condition is reported with its column and advice",
    arguments: [
      ("", "expected the name of a member, found the end, at character 1"),
      (
        "year",
        "expected =, !=, <, <=, >, >=, contains or in after 'year', found the end, at character 5"
      ),
      ("year >", "expected a value, found the end, at character 7"),
      (
        "year == 1",
        "expected =, !=, <, <=, >, >=, contains or in after 'year', found '=='; write =, "
          + "at character 6"
      ),
      (
        "year <> 1",
        "expected =, !=, <, <=, >, >=, contains or in after 'year', found '<>'; write !=, "
          + "at character 6"
      ),
      (
        "year = 1 && id = 2",
        "expected 'and', 'or' or the end, found '&&'; write and, at character 10"
      ),
      (
        "title like 'a'",
        "expected =, !=, <, <=, >, >=, contains or in after 'title', found 'like'; "
          + "write contains, at character 7"
      ),
      (
        "author = ann",
        "expected a value, found 'ann'; a string is written \"ann\", at character 10"
      ),
      ("year = 01", "expected a value, found '01'; a string is written \"01\", at character 8"),
      ("title = 'a", "the string is not closed, at character 9"),
      ("(id = 1", "expected 'and', 'or' or ')', found the end, at character 8"),
      ("id = 1)", "expected 'and', 'or' or the end, found ')', at character 7"),
      ("id < null", "'null' is compared with = or != only, at character 6"),
      ("and = 1", "expected the name of a member, found 'and', at character 1"),
      ("id = 1 id = 2", "expected 'and', 'or' or the end, found 'id', at character 8"),
    ])
  func errors(condition: String, message: String) {
    #expect(throws: ConditionError.self) { try RecordCondition.parse(condition) }
    do {
      _ = try RecordCondition.parse(condition)
    } catch {
      expectEqual(error.description, message)
    }
  }

  @Test("100,000 parentheses are refused, and as many comparisons are read")
  func deep() throws {
    let open = String(repeating: "(", count: 100_000)
    #expect(throws: ConditionError.self) { try RecordCondition.parse(open + "id = 1") }
    let nested = String(repeating: "(", count: 100) + "id = 1" + String(repeating: ")", count: 100)
    try expectEqual(ids(nested), ["1"])
    let long = Array(repeating: "id = 2", count: 100_000).joined(separator: " or ")
    try expectEqual(ids(long), ["2"])
  }

  @Test("Sorting is by value and stable; null first, and last when it descends")
  func sorting() throws {
    func sorted(_ order: [RecordSelection.Order], limit: Int? = nil) throws -> String {
      try database().rows(RecordSelection(of: "posts", sortedBy: order, limit: limit))
        .map(\.id.key.text).joined(separator: " ")
    }
    try expectEqual(sorted([]), "1 2 3 10")
    try expectEqual(sorted([.init("year")]), "1 2 3 10")
    try expectEqual(sorted([.init("year", isDescending: true)]), "10 2 3 1")
    try expectEqual(sorted([.init("year", isDescending: true), .init("title")]), "10 3 2 1")
    try expectEqual(sorted([.init("title")]), "10 3 1 2")
    try expectEqual(sorted([.init("id", isDescending: true)], limit: 2), "10 3")
    try expectEqual(sorted([.init("author")]), "3 10 2 1")
    try expectEqual(sorted([], limit: 0), "")
    try expectEqual(sorted([], limit: 9), "1 2 3 10")
  }

  @Test("Rows are returned in the order of the given IDs")
  func byID() throws {
    let selection = RecordSelection(of: "posts", ids: ["10", "1", "10"])
    try expectEqual(database().rows(selection).map(\.id.key.text), ["10", "1", "10"])
  }

  @Test("Unknown names are reported with suggestions")
  func unknown() throws {
    let database = try database()
    func problem(_ selection: RecordSelection) -> String? {
      do {
        _ = try database.rows(selection)
        return nil
      } catch {
        return error.description
      }
    }
    expectEqual(
      problem(RecordSelection(of: "post")),
      "\"post\" is no entity of the database; did you mean \"posts\"?")
    expectEqual(
      problem(RecordSelection(of: "posts", ids: ["1", "x", "4"])), "posts has no row \"x\", \"4\"")
    expectEqual(
      problem(RecordSelection(of: "posts", where: try RecordCondition.parse("yeer = 1"))),
      "no row of posts has a member \"yeer\"; did you mean \"year\"?")
    expectEqual(
      problem(RecordSelection(of: "posts", sortedBy: [.init("titel")])),
      "no row of posts has a member \"titel\"; did you mean \"title\"?")
    expectNil(problem(RecordSelection(of: "posts", where: try RecordCondition.parse("tags = 1"))))
  }
}
