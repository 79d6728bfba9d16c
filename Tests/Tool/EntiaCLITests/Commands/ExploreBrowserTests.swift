import EntiaTestSupport
import Foundation
import Testing

/// The pages of `entia explore` in a browser, if there is one.
@Suite("entia explore in Chromium", .enabled(if: Chromium.isWanted), .serialized)
struct ExploreBrowserTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the page of databases.
  private func page(_ names: String...) throws -> String {
    let path = folder.path("page.html")
    let outcome = try EntiaProcess.run(["explore"] + names + ["-o", path])
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    return path
  }

  @Test(
    "A page passes its own checks",
    arguments: ["blog", "cycle", "dangling", "gallery", "music", "partial", "shared"])
  func fixtures(name: String) throws {
    let database = "Fixtures/\(name)/expected.json"
    let statistics = try EntiaProcess.run(["stats", database, "--json"])
    let report = try Chromium.check(
      page(database), statistics: statistics.outputText, in: folder.url)
    expectTrue(report.contains("ok links lead where they should"))
    expectFalse(report.contains("no statistics"))
  }

  @Test("A page passes its own checks in a narrow window", arguments: [420, 700])
  func narrow(width: Int) throws {
    let path = try page("Fixtures/blog/expected.json")
    _ = try Chromium.check(path, in: folder.url, width: width)
  }

  @Test("A page with many tables passes its own checks, which move often")
  func manyTables() throws {
    let tables = (0..<60).map { number in
      (
        schema: "\"t\(number)\":{\"id\":\"id\"}",
        rows: "\"t\(number)\":{\"1\":{\"id\":1},\"2\":{\"id\":2},\"3\":{\"id\":3}}"
      )
    }
    let schema = tables.map(\.schema).joined(separator: ",")
    let rows = tables.map(\.rows).joined(separator: ",")
    let path = try folder.write(
      "{\"schema\":{\"entities\":{\(schema)}},\"entities\":{\(rows)},\"result\":{}}",
      to: "many.json")
    _ = try Chromium.check(page(path), in: folder.url)
  }

  @Test("The page of an empty database passes its checks")
  func empty() throws {
    let path = try folder.write(
      #"{"schema":{"entities":{}},"entities":{},"result":{}}"#, to: "empty.json")
    _ = try Chromium.check(page(path), in: folder.url)
  }

  @Test("Hostile content does not become elements or code")
  func hostile() throws {
    let path = try folder.write(HostileDatabase.json(), to: "hostile.json")
    let report = try Chromium.check(page(path), in: folder.url)
    expectTrue(report.contains("ok content stays content"))
    // Also as a difference, where every row was inserted or removed.
    let empty = try folder.write(
      #"{"schema":{"entities":{}},"entities":{},"result":{}}"#, to: "empty.json")
    _ = try Chromium.check(page(empty, path), in: folder.url)
    _ = try Chromium.check(page(path, empty), in: folder.url)
  }

  @Test("A page of a difference shows old and new values")
  func difference() throws {
    let blog = Repository.root.appending(path: "Fixtures/blog/expected.json")
    let text = try String(contentsOf: blog, encoding: .utf8)
    let lines = text.replacing("\"born\":1799", with: "\"born\":1800").split(separator: "\n")
    let new = try folder.write(
      lines.filter { !$0.contains("\"c7\": ") }.joined(separator: "\n"), to: "new.json")
    let path = try page("Fixtures/blog/expected.json", new)
    _ = try Chromium.check(path, in: folder.url)
    let changes = try Chromium.elements(of: path, at: "#/changes", in: folder.url)
    expectTrue(changes.contains("<del><bdi class=\"\" dir=\"auto\">1799</bdi></del>"))
    expectTrue(changes.contains("<ins><bdi class=\"\" dir=\"auto\">1800</bdi></ins>"))
    expectTrue(changes.contains("1 row removed"))
    let row = try Chromium.elements(of: path, at: "#/rows/authors/%22a1%22", in: folder.url)
    expectTrue(row.contains("was 1799"))
  }

  @Test("An address shows its row, with links and what deleting it would do")
  func address() throws {
    let path = try page("Fixtures/blog/expected.json")
    let row = try Chromium.elements(of: path, at: "#/rows/authors/%22a1%22", in: folder.url)
    expectTrue(row.contains("href=\"#/rows/posts/%22p1%22\""))
    expectTrue(row.contains("is denied by 5 references"))
    expectTrue(row.contains("removes 5 references"))
    let facts = try Chromium.elements(of: path, at: "#/facts", in: folder.url)
    expectTrue(facts.contains("Dangling references: 0"))
  }

  #if ENTIA_SQLITE
    @Test("Deleting a row of an app's SQLite database follows its foreign keys")
    func foreignKeys() throws {
      let path = folder.path("music.db")
      let made = try EntiaProcess.shell(
        """
        sqlite3 music.db "
        CREATE TABLE artist(id INTEGER PRIMARY KEY, name);
        CREATE TABLE album(id INTEGER PRIMARY KEY, artist REFERENCES artist ON DELETE CASCADE);
        CREATE TABLE track(id INTEGER PRIMARY KEY, album REFERENCES album ON DELETE CASCADE,
          next REFERENCES track ON DELETE SET NULL);
        CREATE TABLE award(id INTEGER PRIMARY KEY, artist REFERENCES artist);
        INSERT INTO artist VALUES (1, 'One'), (2, 'Two');
        INSERT INTO album VALUES (10, 1), (11, 1), (12, 2);
        INSERT INTO track VALUES (100, 10, NULL), (101, 10, 100), (102, 12, 101);
        INSERT INTO award VALUES (7, 2);"
        """, in: folder)
      expectEqual(made.exitCode, 0, "\(made.errorText)")
      let page = try page(path)
      _ = try Chromium.check(page, in: folder.url)
      let first = try Chromium.elements(of: page, at: "#/rows/artist/1", in: folder.url)
      expectTrue(first.contains("<summary>removes 4 more rows</summary>"))
      expectTrue(first.contains("<summary>removes 1 reference</summary>"))
      let second = try Chromium.elements(of: page, at: "#/rows/artist/2", in: folder.url)
      expectTrue(second.contains("<summary>is denied by 1 reference</summary>"))
      expectTrue(second.contains("<summary>would remove 2 more rows</summary>"))
    }
  #endif

  @Test("A page of 100,000 rows opens and searches, and is as large as the data")
  func large() throws {
    let data = folder.path("large.json")
    let line = "generate --authors 1000 --posts 20000 --comments 79000 --seed 1 --format tables -o"
    try expectEqual(EntiaProcess.run("\(line) \(data)").exitCode, 0)
    let path = try page(data)
    let sizes = try [data, path].map { path in
      try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
    #expect(sizes[1] < sizes[0] * 5 / 4, "\(sizes)")
    let report = try Chromium.check(path, in: folder.url)
    expectTrue(report.contains("rows are read exactly: 100,000 rows"))
  }
}
