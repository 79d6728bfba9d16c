import EntiaDatabase
import EntiaRecords
import EntiaSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("A database that something else made")
struct ForeignFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let music = """
    CREATE TABLE Artist(ArtistId INTEGER PRIMARY KEY, Name NVARCHAR(120));
    CREATE TABLE Album(AlbumId INTEGER PRIMARY KEY, Title TEXT, ArtistId INTEGER
      REFERENCES artist(artistid), Cover BLOB, Price NUMERIC, Boss INTEGER REFERENCES Album);
    CREATE TABLE Track(Code TEXT PRIMARY KEY, Album INTEGER REFERENCES Album) WITHOUT ROWID;
    CREATE TABLE Playlist(Id INTEGER PRIMARY KEY, Name);
    CREATE TABLE PlaylistTrack(Playlist INTEGER REFERENCES Playlist, Track TEXT REFERENCES Track,
      PRIMARY KEY(Playlist, Track));
    CREATE TABLE Line(Invoice INTEGER, Number INTEGER, Track TEXT REFERENCES Track, Count,
      PRIMARY KEY(Invoice, Number));
    CREATE TABLE Log(message);
    CREATE VIEW Titles AS SELECT Title FROM Album;
    INSERT INTO Artist VALUES (1, 'AC/DC'), (2, NULL);
    INSERT INTO Album VALUES (1, 'For Those', 1, x'00ff', 9.5, NULL), (2, 'Balls', 2, NULL, 1e999, 1);
    INSERT INTO Track VALUES ('t2', 1), ('t1', 2);
    INSERT INTO Playlist VALUES (7, 'All'), (8, 'None');
    INSERT INTO PlaylistTrack VALUES (7, 't2'), (7, 't1');
    INSERT INTO Line VALUES (1, 1, 't1', 2), (1, 2, 't2', 1);
    INSERT INTO Log VALUES ('one'), ('two');
    """

  @Test("Tables are entities, and foreign keys are relationships")
  func tables() throws {
    let (json, notes) = try RecordFile.read(try folder.create(Self.music))
    let read = try database(json)
    let expected = """
      {
        "schema": {
          "entities": {
            "Album": {"id":"AlbumId","relationships":{"ArtistId":{"to":"Artist"},"Boss":{"to":"Album"}}},
            "Artist": {"id":"ArtistId"},
            "Line": {"id":["Invoice","Number"],"relationships":{"Track":{"to":"Track"}}},
            "Log": {"id":"id"},
            "Playlist": {"id":"Id","relationships":{"Track":{"to":"Track","many":true}}},
            "Track": {"id":"Code","relationships":{"Album":{"to":"Album"}}}
          }
        },
        "entities": {
          "Album": {
            "1": {"AlbumId":1,"Title":"For Those","ArtistId":1,"Cover":"AP8=","Price":9.5,"Boss":null},
            "2": {"AlbumId":2,"Title":"Balls","ArtistId":2,"Cover":null,"Price":"$Infinity","Boss":1}
          },
          "Artist": {
            "1": {"ArtistId":1,"Name":"AC/DC"},
            "2": {"ArtistId":2,"Name":null}
          },
          "Line": {
            "1/1": {"Invoice":1,"Number":1,"Track":"t1","Count":2},
            "1/2": {"Invoice":1,"Number":2,"Track":"t2","Count":1}
          },
          "Log": {
            "1": {"id":1,"message":"one"},
            "2": {"id":2,"message":"two"}
          },
          "Playlist": {
            "7": {"Id":7,"Name":"All","Track":["t1","t2"]},
            "8": {"Id":8,"Name":"None","Track":[]}
          },
          "Track": {
            "t1": {"Code":"t1","Album":2},
            "t2": {"Code":"t2","Album":1}
          }
        },
        "result": {}
      }

      """
    expectEqual(String(decoding: read.write(), as: UTF8.self), expected)
    expectEqual(
      notes,
      [
        "the view Titles is ignored",
        "the table PlaylistTrack only connects rows and is read as Playlist.Track",
        "Log has no primary key: its rows get the member 'id', with SQLite's number of the row",
        "Album.Cover: 1 BLOB is read as base64",
        "Album.Price: 1 infinite number is read as a text such as \"$Infinity\"",
      ])
  }

  @Test("A foreign key to other columns than an ID is a plain member, and is noted")
  func otherColumns() throws {
    let path = try folder.create(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY, code TEXT UNIQUE, x, y, UNIQUE(x, y));
      CREATE TABLE b(id INTEGER PRIMARY KEY, a TEXT REFERENCES a(code), x, y,
        FOREIGN KEY(x, y) REFERENCES a(x, y));
      INSERT INTO a VALUES (1, 'c', 2, 3);
      INSERT INTO b VALUES (1, 'c', 2, 3);
      """)
    let (json, notes) = try RecordFile.read(path)
    let read = try database(json)
    expectEqual(read.schema.entity("b")?.relationships.isEmpty, true)
    expectEqual(
      notes,
      [
        "b.a refers to another column of a than its ID, and is read as a plain member",
        "the foreign key b.(x, y) has several columns, and they are read as plain members: a "
          + "relationship is one member",
      ])
  }

  @Test("A foreign key to no table is noted as such, and one that is declared twice is one")
  func missingTables() throws {
    let path = try folder.create(
      """
      CREATE TABLE a(id INTEGER PRIMARY KEY REFERENCES b REFERENCES b, m REFERENCES missing(id)
        ON DELETE CASCADE REFERENCES b, d REFERENCES b(id) REFERENCES B, e REFERENCES b,
        v REFERENCES VV, f REFERENCES c, p, q, FOREIGN KEY(e) REFERENCES b(id),
        FOREIGN KEY(e) REFERENCES c, FOREIGN KEY(p, q) REFERENCES nowhere(r, s));
      CREATE TABLE b(id INTEGER PRIMARY KEY);
      CREATE TABLE c(id INTEGER PRIMARY KEY);
      CREATE VIEW vv AS SELECT 1 AS id;
      INSERT INTO b VALUES (1); INSERT INTO a VALUES (1, 1, 1, 1, 1, NULL, 2, 3);
      """)
    var (json, notes) = try RecordFile.read(path)
    let relationships = try #require(try database(json).schema.entity("a")?.relationships)
    expectEqual(relationships.map { "\($0.name) \($0.target)" }, ["d b", "e b", "f c", "m b"])
    expectEqual(
      notes,
      [
        "the view vv is ignored", "a.id refers to b, and is read as the ID of a only",
        "a.m refers to missing, a table that the file does not have, and is read as a plain member",
        "a.v refers to the view vv, and is read as a plain member",
        "a.e refers to several tables, and c is not read as one",
        "the foreign key a.(p, q) refers to nowhere, a table that the file does not have, and is "
          + "read as plain members",
      ])
    let rules = try #require(try RecordFile.deleteRules(of: path))
    expectEqual(
      rules.map { "\($0.member) \($0.onDelete)" },
      [
        "id deny", "m deny", "d deny", "e deny", "f deny",
      ])
    (json, notes) = try RecordFile.read(path, tables: ["a", "b"])
    expectTrue(
      notes.contains(
        "a.f refers to c, which is not among the 2 selected tables, and is read as a plain member"))
    expectTrue(notes.contains { $0.hasPrefix("a.m refers to missing, a table that the file does") })
  }

  @Test("Names that differ in the case of letters that are not ASCII are those of two tables")
  func unfoldedNames() throws {
    for (upper, lower) in [
      ("Ä", "ä"), ("É", "e\u{301}"), ("\u{E9}", "e\u{301}"), ("\u{212A}", "k"),
    ] {
      let path = try folder.create(
        """
        CREATE TABLE "\(upper)"(id INTEGER PRIMARY KEY, x);
        CREATE TABLE "\(lower)"(id INTEGER PRIMARY KEY, y);
        CREATE TABLE r(id INTEGER PRIMARY KEY, one REFERENCES "\(upper)", two REFERENCES "\(lower)",
          "\(upper)", "\(lower)" REFERENCES "\(lower)");
        CREATE TABLE link(r REFERENCES r, other REFERENCES "\(lower)", PRIMARY KEY(r, other));
        INSERT INTO "\(upper)" VALUES (1, 'up'); INSERT INTO "\(lower)" VALUES (2, 'low');
        INSERT INTO r VALUES (1, 1, 2, 'text', '2'); INSERT INTO link VALUES (1, 2);
        """)
      let (json, _) = try RecordFile.read(path)
      let (read, report) = RecordDatabase.read(ImportSource(name: "f.json", bytes: json))
      expectEqual(report.problems, [], "\(upper)")
      let row = try #require(read?.record(RecordID(entity: "r", key: .number(JSONNumber(1)))))
      let second = RecordID(entity: lower, key: .number(JSONNumber(2)))
      expectEqual(row["one"], .reference(RecordID(entity: upper, key: .number(JSONNumber(1)))))
      expectEqual(row["two"], .reference(second))
      expectEqual(row[lower], .reference(second), "\(upper)")
      expectEqual(row[upper], .plain(JSONText(.string("text"))))
      expectEqual(read?.record(second)?["y"], .plain(JSONText(.string("low"))))
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("A table that connects the rows of one table has its own name as the member")
  func oneTable() throws {
    let path = try folder.create(
      """
      CREATE TABLE person(id INTEGER PRIMARY KEY);
      CREATE TABLE follows(id INTEGER PRIMARY KEY, who REFERENCES person, whom REFERENCES person);
      INSERT INTO person VALUES (1), (2);
      INSERT INTO follows VALUES (1, 2, 1), (2, 1, 2), (3, 1, NULL);
      """)
    let read = try database(try RecordFile.read(path).json)
    let person = try #require(read.record(RecordID(entity: "person", key: .number(JSONNumber(1)))))
    let second = RecordID(entity: "person", key: .number(JSONNumber(2)))
    expectEqual(person["follows"], .references([second]))
  }

  @Test("The delete rules are those of the foreign keys, and of the tables that connect rows")
  func deleteRules() throws {
    let path = try folder.create(
      """
      CREATE TABLE artist(id INTEGER PRIMARY KEY);
      CREATE TABLE album(id INTEGER PRIMARY KEY, artist REFERENCES artist ON DELETE CASCADE,
        label REFERENCES artist ON DELETE SET NULL, boss REFERENCES album ON DELETE RESTRICT,
        twin REFERENCES album);
      CREATE TABLE list(id INTEGER PRIMARY KEY);
      CREATE TABLE entry(list REFERENCES list, album REFERENCES album ON DELETE CASCADE,
        PRIMARY KEY(list, album));
      """)
    let rules = try #require(try RecordFile.deleteRules(of: path))
    let texts = rules.map { rule in
      "\(rule.entity).\(rule.member) \(rule.onDelete)" + (rule.deniesHolder ? ", holder too" : "")
    }
    expectEqual(
      texts,
      [
        "album.artist cascade", "album.label nullify", "album.boss deny", "album.twin deny",
        "list.album nullify, holder too",
      ])
    let members = try database(RecordFile.read(path).json).schema.entities.flatMap { entity in
      entity.relationships.map { "\(entity.name).\($0.name)" }
    }
    expectEqual(Set(members), Set(rules.map { "\($0.entity).\($0.member)" }))
  }

  @Test("A file that Entia wrote has no delete rules, and another file is an error")
  func noDeleteRules() throws {
    let path = try folder.write(RecordDatabase())
    try expectNil(RecordFile.deleteRules(of: path))
    try Data("SQLite format 3\0 and no more".utf8).write(to: URL(filePath: path))
    #expect(throws: RecordFileError.self) { try RecordFile.deleteRules(of: path) }
  }

  @Test("Names with quotes and keywords are read")
  func names() throws {
    let path = try folder.create(
      """
      CREATE TABLE "select"("a""b" TEXT PRIMARY KEY, "from" REFERENCES "select", "é 😀");
      INSERT INTO "select" VALUES ('x', NULL, 1), ('y', 'x', 'z');
      """)
    let read = try database(try RecordFile.read(path).json)
    let row = try #require(read.record(RecordID(entity: "select", key: .string("y"))))
    expectEqual(row["from"], .reference(RecordID(entity: "select", key: .string("x"))))
    expectEqual(row["é 😀"], .plain(JSONText(.string("z"))))
  }

  @Test("A collation that only its program has is named, and is no damage")
  func missingCollation() throws {
    let path = try folder.create(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a');
      CREATE INDEX by_name ON t(name);
      CREATE TABLE u(id TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO u VALUES ('b');
      PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql=replace(sql, ' TEXT', ' TEXT COLLATE FANCY')
        WHERE type='table';
      """)
    let reason = """
      \(path): no such collation sequence: FANCY: a table or an index is sorted by it, which only \
      the program that made it can do (SQLite's code 257)
      """
    let error = RecordFileError(isBadData: true, description: reason)
    #expect(throws: error) { try RecordFile.problems(of: path, limit: 1) }
    #expect(throws: error) { try RecordFile.read(path) }
    try expectEqual(database(RecordFile.read(path, tables: ["t"]).json).table.count, 1)
  }

  @Test("A damaged file, and one that a program has locked, are errors that say so")
  func errors() throws {
    let path = folder.path("broken.sqlite")
    try Data(SQLiteFile.magic + Array("and nothing else".utf8)).write(to: URL(filePath: path))
    do throws(RecordFileError) {
      _ = try RecordFile.read(path)
      Issue.record("no error")
    } catch {
      expectTrue(error.isBadData && error.description.contains("broken.sqlite is damaged"))
    }
  }

  @Test("A full disk is no fault of the data")
  func fullDisk() {
    let error = #expect(throws: RecordFileError.self) {
      try RecordFile.describingErrors(of: "a.sqlite") {
        throw DatabaseFileError.isFull(file: "a.sqlite")
      }
    }
    expectEqual(error?.isBadData, false)
  }

  @Test("Constraints after a comment are found", arguments: ["\n", "\r\n"])
  func comments(newline: String) throws {
    let path = try folder.create(
      "CREATE TABLE t(id TEXT PRIMARY KEY, -- it's the key\(newline) name TEXT UNIQUE);")
    try expectTrue(RecordFile.losses(of: path).contains("constraints (UNIQUE)"))
  }
}
