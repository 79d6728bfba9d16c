import EntiaDatabase
import EntiaRecords
import EntiaSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// A row as GRDB stores it.
private struct Member: EntityType, Identifiable, Codable, Equatable {
  let id: UUID
  var name: String
  var isActive: Bool
  var joined: Date
  var left: Date?
}

private struct Loan: EntityType, Identifiable, Codable, Equatable {
  let id: Int
  var memberId: Member.EntityID?
  var due: Date
  var fee: Decimal
  var picture: Data
  var site: URL
}

private struct Club: NormalizedStorageType, Equatable {
  struct Contents: StorageContents {
    var members = Tables.Hash<Member>()
    var loans = Tables.Hash<Loan>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("member", \.members)
      visitor.table("loan", \.loans)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite("A file of GRDB opens with a storage")
struct GRDBFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Rows of GRDB are loaded, and written in the forms of the library when they are saved")
  func grdb() throws {
    let old = try folder.create(
      """
      CREATE TABLE grdb_migrations(identifier TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE member(id BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL,
        isActive BOOLEAN NOT NULL, joined DATETIME NOT NULL, left DATETIME);
      CREATE TABLE loan(id INTEGER PRIMARY KEY AUTOINCREMENT, memberId BLOB REFERENCES member,
        due DATETIME NOT NULL, fee TEXT NOT NULL, picture BLOB NOT NULL, site TEXT NOT NULL);
      INSERT INTO member VALUES
        (x'000102030405060708090a0b0c0d0e0f', 'Ann', 1, '2024-05-01 12:34:56.789', NULL),
        (x'100102030405060708090a0b0c0d0e0f', 'Bob', 0, '2024-05-01 00:00:00.000', '2024-05-02');
      INSERT INTO loan VALUES
        (1, x'000102030405060708090a0b0c0d0e0f', '2024-05-01 12:34:56.789', '19.90', x'00ff',
          'https://example.com/1'),
        (2, x'100102030405060708090a0b0c0d0e0f', '2024-05-01 12:34:56.000', '5', x'',
          'https://example.com/2');
      """)
    let path = folder.path("moved.sqlite")
    let outcome = try EntiaProcess.run(["import", old, "-o", path])
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    let ids = try ["0", "1"].map {
      try #require(UUID(uuidString: "\($0)0010203-0405-0607-0809-0A0B0C0D0E0F"))
    }
    var file = try DatabaseFile<Club>(path: path)
    var club = try file.load()
    expectTrue(club.verify().isEmpty)
    expectEqual(
      club.snapshot.contents.members.map { $0 },
      [
        Member(
          id: ids[0], name: "Ann", isActive: true,
          joined: Date(timeIntervalSinceReferenceDate: 736_259_696.789)),
        Member(
          id: ids[1], name: "Bob", isActive: false,
          joined: Date(timeIntervalSinceReferenceDate: 736_214_400),
          left: Date(timeIntervalSinceReferenceDate: 736_300_800)),
      ])
    let loan = try #require(club.snapshot.contents.loans.find(by: Loan.EntityID(1)))
    expectEqual(loan.memberId, Member.EntityID(ids[0]))
    expectTrue(loan.fee == Decimal(string: "19.9") && loan.picture == Data([0, 255]))
    club.performBatchUpdates { context in
      context.modifying.members.updateIfExists(id: Member.EntityID(ids[0])) { $0.name = "Ada" }
      context.modifying.loans.updateIfExists(id: Loan.EntityID(1)) { $0.fee += 1 }
    }
    try file.save(club)
    try file.close()
    file = try DatabaseFile<Club>(path: path)
    try expectEqual(file.load(), club)
    try file.close()
    // In a new file, all rows have the forms of the library.
    let new = folder.path("new.sqlite")
    file = try DatabaseFile<Club>(path: new)
    try file.save(club)
    try file.close()
    try expectEqual(EntiaProcess.run(["verify", new]).exitCode, 0)
    let copy = try database(try RecordFile.read(new).json)
    let bob = try #require(
      copy.record(RecordID(entity: "member", key: .string(ids[1].uuidString))))
    expectEqual(bob["left"], .plain(JSONText(.number(try #require(JSONNumber("736300800.0"))))))
  }
}
