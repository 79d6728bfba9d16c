#if ENTIA_SQLITE
  @testable import EntiaSQLite
  import EntiaTestSupport
  import Foundation
  import Testing

  @Suite("A SQLite database of another program, beside a reading by SQL")
  struct ForeignDatabaseTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path("music.db")
    }

    /// Creates a database of random sizes with foreign keys, also to the own table and to TEXT
    /// keys, with a table that connects rows, and with a view.
    private func create(seed: UInt64) throws -> SQLiteConnection {
      var state = seed
      func number(in range: Range<Int>) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int(state >> 33) % range.count
      }
      func rows(_ range: Range<Int>) -> String {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
          + "WHERE i < \(number(in: range)))"
      }
      try Data().write(to: URL(filePath: path))
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      // Numbers that differ from row to row, without a function that is random itself.
      let mixed = "((i * 7919 + \(number(in: 1..<10_000))) % 101)"
      try connection.execute(
        """
        PRAGMA foreign_keys=ON;
        CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER);
        CREATE TABLE album(code TEXT PRIMARY KEY, title VARCHAR(80), price REAL,
          artist INTEGER REFERENCES artist(id) ON DELETE CASCADE, previous TEXT REFERENCES album);
        CREATE TABLE listener(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE favorite(listener INTEGER NOT NULL REFERENCES listener,
          album TEXT NOT NULL REFERENCES album, PRIMARY KEY(listener, album));
        CREATE INDEX by_artist ON album(artist);
        CREATE VIEW shelf AS SELECT title, name FROM album JOIN artist ON artist.id = album.artist;
        BEGIN;
        \(rows(1..<40)) INSERT INTO artist SELECT i * 3, 'Ärtist "' || i || '"' || char(10),
          CASE WHEN i % 3 THEN 1900 + \(mixed) END FROM n;
        \(rows(1..<200)) INSERT INTO album SELECT 'c' || i, CASE WHEN i % 7 THEN 'Title ' || i END,
          \(mixed) / 4.0, CASE WHEN i % 5 THEN
            3 * (1 + \(mixed) % (SELECT count(*) FROM artist))
          END, CASE WHEN i > 1 AND i % 2 THEN 'c' || (i / 2) END FROM n;
        \(rows(1..<60)) INSERT INTO listener SELECT i, 'listener ' || i FROM n;
        INSERT INTO favorite SELECT listener.id, album.code FROM listener, album
          WHERE (listener.id * 31 + substr(album.code, 2) * 17) % 11 = 0;
        COMMIT;
        """)
      return connection
    }

    /// The schema that the foreign keys describe.
    private static let schema = """
      {"album": {"id": "code", "relationships":
        {"artist": {"to": "artist"}, "previous": {"to": "album"}}},
       "artist": {"id": "id"},
       "listener": {"id": "id", "relationships": {"album": {"to": "album", "many": true}}}}
      """

    /// The entities, read by SQL alone.
    private static let entities = """
      SELECT json_object(
        'artist', (SELECT json_group_object(id, json_object('id', id, 'name', name,
          'founded', founded)) FROM artist),
        'album', (SELECT json_group_object(code, json_object('code', code, 'title', title,
          'price', price, 'artist', artist, 'previous', previous)) FROM album),
        'listener', (SELECT json_group_object(id, json_object('id', id, 'name', name, 'album',
          json((SELECT json_group_array(album) FROM
            (SELECT album FROM favorite WHERE listener = l.id ORDER BY album)))))
          FROM listener AS l))
      """

    /// The albums with their artists and with the albums before them, joined by SQL.
    private static let albums = """
      SELECT json_group_array(json_object('code', a.code, 'title', a.title, 'price', a.price,
        'artist', CASE WHEN r.id IS NOT NULL THEN
          json_object('id', r.id, 'name', r.name, 'founded', r.founded) END,
        'previous', CASE WHEN p.code IS NOT NULL THEN json_object('code', p.code, 'title', p.title,
          'price', p.price, 'artist', p.artist, 'previous', p.previous) END))
      FROM (SELECT * FROM album ORDER BY code) AS a
      LEFT JOIN artist AS r ON r.id = a.artist LEFT JOIN album AS p ON p.code = a.previous
      """

    private func json(_ text: String) throws -> NSObject {
      try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
          as? NSObject)
    }

    private func json(_ sql: String, on connection: SQLiteConnection) throws -> NSObject {
      guard case .text(let text) = try connection.value(sql) else {
        throw CocoaError(.coderInvalidValue)
      }
      return try json(text)
    }

    private func output(_ line: String) throws -> EntiaProcess.Outcome {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, 0, "\(line): \(outcome.errorText)")
      return outcome
    }

    @Test(
      "Its rows, links and lists are those that SQL reads and joins",
      arguments: 1...UInt64(scaled(2)))
    func compared(seed: UInt64) throws {
      let connection = try create(seed: seed)
      let entities = try json(Self.entities, on: connection)
      let albums = try json(Self.albums, on: connection)
      let before = try Data(contentsOf: URL(filePath: path))
      for target in ["out.json", "out.sqlite"] {
        let target = folder.path(target)
        let notes = try output("import \(path) -o \(target)").errorText
        expectTrue(notes.contains("the view shelf is ignored"))
        expectTrue(
          notes.contains("the table favorite only connects rows and is read as listener.album"))
        let found = try #require(json(output("export \(target)").outputText) as? [String: NSObject])
        expectEqual(found["entities"], entities, "seed \(seed), \(target)")
        let schema = try #require(found["schema"] as? [String: NSObject])
        expectEqual(schema["entities"], try json(Self.schema))
        try expectTrue(output("verify \(target)").outputText.contains("no problems"))
        let nested = try json(output("denormalize \(target) --entity album --depth 1").outputText)
        expectEqual(byCode(nested), byCode(albums), "seed \(seed), \(target)")
      }
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    }

    private func byCode(_ rows: NSObject) -> [String: NSObject] {
      let rows = (rows as? [[String: NSObject]]) ?? []
      return Dictionary(
        rows.map { ("\($0["code"] ?? "" as NSString)", $0 as NSDictionary) },
        uniquingKeysWith: { first, _ in first })
    }
  }
#endif
