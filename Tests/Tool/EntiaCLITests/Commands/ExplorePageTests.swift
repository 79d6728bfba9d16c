import EntiaDatabase
import EntiaExplorer
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("The page of entia explore")
struct ExplorePageTests {
  /// The root of the repository.
  private let repository = Repository.root

  private func database(_ json: String) throws -> RecordDatabase {
    let source = ImportSource(name: "test.json", bytes: Array(json.utf8))
    let (database, report) = RecordDatabase.read(source)
    expectFalse(report.isRefused)
    return try #require(database)
  }

  private func database(at path: String) throws -> RecordDatabase {
    try database(
      String(contentsOf: repository.appending(path: path), encoding: .utf8))
  }

  private func text(
    _ database: RecordDatabase, rules: [ForeignDeleteRule]? = nil, old: RecordDatabase? = nil
  ) -> String {
    let records = NumberedRecords(database)
    var page = ExplorePage(records.page(rules: rules), name: "blog.json")
    if let old {
      page.difference = records.page(
        database.difference(from: old), from: old, named: "old.json")
    }
    var bytes: [UInt8] = []
    page.write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the content of an element with data.
  private func data(_ id: String, in page: String) throws -> String {
    let start = try #require(page.range(of: " id=\"\(id)\">"), "no element \(id)")
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    return String(page[start.upperBound..<end.lowerBound])
  }

  private func metadata(_ page: String) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(data("meta", in: page).utf8)) as? [String: Any])
  }

  @Test("Rows are lines with exact values, and links are the numbers of rows")
  func rows() throws {
    let page = try text(database(at: "Fixtures/blog/expected.json"))
    expectTrue(Array(page.utf8).starts(with: ExplorePage.mark))
    let authors = try data("rows-0-0", in: page).split(separator: "\n")
    expectEqual(authors.count, 4)
    expectEqual(
      authors[0], #"["a1",{"name":"Mary Anning","email":"mary@lyme.example","born":1799}]"#)
    // The authors of the posts, and the comments: rows are numbered by table and ID.
    try expectEqual(data("links-1", in: page), "[0,0,1,2,3,3]")
    try expectEqual(data("links-2", in: page), "[[8,4,12],[],[11,10],[9,15],[14,5,7],[13,6]]")
    let tables = try #require(try metadata(page)["tables"] as? [[String: Any]])
    expectEqual(tables.map { $0["name"] as? String }, ["authors", "comments", "posts"])
    expectEqual(tables.map { $0["rows"] as? Int }, [4, 12, 6])
  }

  @Test("A reference to a row that does not exist is -1, and its ID is kept")
  func dangling() throws {
    let page = try text(database(at: "Fixtures/dangling/expected.json"))
    try expectEqual(data("links-0", in: page), "[-1]")
    try expectEqual(data("links-2", in: page), "[[1,-1],[1]]")
    try expectTrue(data("rows-2-0", in: page).contains(#""comments":["c1","c8"]"#))
  }

  @Test("Databases that are equal have equal pages, whatever the order of their rows")
  func deterministic() throws {
    let path = repository.appending(path: "Fixtures/blog/expected.json")
    let json = try String(contentsOf: path, encoding: .utf8)
    let lines = json.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let isAuthor = { (line: String) in line.hasPrefix("      \"a") && line.contains("born") }
    let authors = lines.filter(isAuthor).map { $0.hasSuffix(",") ? $0 : $0 + "," }
    var reversed = Array(authors.reversed())
    reversed[reversed.count - 1].removeLast()
    var rest = reversed[...]
    let other = lines.map { isAuthor($0) ? rest.removeFirst() : $0 }.joined(separator: "\n")
    expectTrue(other != json)
    try expectEqual(text(database(json)), text(database(other)))
  }

  @Test("Hostile content stays in the elements with data")
  func hostile() throws {
    let database = try database(HostileDatabase.json())
    let plain = try text(self.database(at: "Fixtures/cycle/expected.json"))
    let page = text(database, old: RecordDatabase())
    // Between the elements there is nothing that the data could have written.
    let pattern = #/<script type="application/[-a-z]+" id="[-a-z0-9]+">[^<]*</script>\n/#
    let rest = page.replacing(pattern, with: "")
    expectEqual(rest, plain.replacing(pattern, with: ""))
    expectFalse(rest.contains("hostile"))
    let lines = try data("rows-0-0", in: page)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    expectEqual(lines.count, HostileDatabase.texts.count + 1)
    let found = try lines.map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
      return try #require(row?.first)
    }
    expectEqual(
      Set(found.compactMap { $0 as? String }.map { Array($0.utf8) }),
      Set(HostileDatabase.texts.map { Array($0.utf8) }))
    expectTrue(page.contains("\"large\":123456789012345678901234567890.50"))
  }

  @Test("The page has no address of another place")
  func addresses() throws {
    let page = try text(database(at: "Fixtures/music/expected.json"))
    let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
    for address in ["http:", "https:", "url(", "@import", "fetch(", "innerHTML", "eval("]
    where address != "url(" {
      expectFalse(rest.contains(address), "\(address)")
    }
    expectTrue(page.contains("default-src 'none'; style-src 'sha256-"))
  }

  @Test("The delete rules of foreign keys are in the schema, and those of the tool otherwise")
  func rules() throws {
    let database = try database(at: "Fixtures/blog/expected.json")
    func rules(_ page: String) throws -> [String] {
      let metadata = try metadata(page)
      let relationships = try #require(metadata["relationships"] as? [[String: Any]])
      let source = try #require(metadata["rules"] as? String)
      return try [source] + relationships.map { try #require($0["onDelete"] as? String) }
    }
    try expectEqual(rules(text(database)), ["tool", "deny", "deny", "deny"])
    let known = [
      ForeignDeleteRule(
        entity: "posts", member: "author", onDelete: .cascade, deniesHolder: false),
      ForeignDeleteRule(
        entity: "posts", member: "comments", onDelete: .nullify, deniesHolder: false),
    ]
    try expectEqual(rules(text(database, rules: known)), ["file", "deny", "cascade", "nullify"])
  }

  @Test("A difference has the rows that were inserted, removed and updated")
  func difference() throws {
    let path = repository.appending(path: "Fixtures/blog/expected.json")
    let json = try String(contentsOf: path, encoding: .utf8)
    let lines = json.replacing("\"born\":1799", with: "\"died\":1847").split(separator: "\n")
    let new = lines.filter { !$0.contains("\"c7\": ") }.joined(separator: "\n")
    let page = try text(database(new), old: database(json))
    try expectEqual(data("updated-0", in: page), "[0,[\"born\",\"died\"],{\"born\":1799}]\n")
    try expectEqual(
      data("removed-1", in: page),
      "[\"c7\",{\"text\":\"Anonymous, but polite.\",\"likes\":1,\"author\":null}]\n")
    let back = try text(database(json), old: database(new))
    let difference = try #require(try metadata(back)["difference"] as? [String: Any])
    let tables = try #require(difference["tables"] as? [[String: Any]])
    expectEqual(tables.map { $0["name"] as? String }, ["authors", "comments"])
    // The comment c7 is the 10th of the comments, after four authors.
    expectEqual(tables.map { $0["inserted"] as? [Int] }, [[], [13]])
    expectEqual(difference["old"] as? String, "old.json")
  }

  @Test("An empty database has a page")
  func empty() throws {
    let page = text(RecordDatabase())
    try expectEqual((metadata(page)["tables"] as? [Any])?.isEmpty, true)
    expectTrue(page.hasSuffix("</html>\n"))
  }
}
