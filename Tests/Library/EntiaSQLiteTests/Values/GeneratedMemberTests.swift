import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Members that generated code reads")
struct GeneratedMemberTests {
  /// A table of drafts in one version of a program.
  struct Drafts<Row: EntityType>: NormalizedStorageType {
    struct Contents: StorageContents {
      var drafts = Tables.Hash<Row>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("drafts", \.drafts) }
    }

    var snapshot = Snapshot(Contents())
    var drafts: Tables.Hash<Row> { snapshot.contents.drafts }

    init() {}

    init(_ rows: [Row]) { performBatchUpdates { $0.modifying.drafts.insert(rows) } }
  }

  struct OldDraft: EntityType, Identifiable, Codable {
    let id: Int
    var name: String
    var stars: Int?
  }

  /// A later version: `name` is `title` now, and there are more members.
  struct Draft: EntityType, Identifiable, RowCodable {
    let id: Int
    var title: String
    var stars = 3
    var isOpen = true
    var nickname: String? = "none"

    init(id: Int, title: String, stars: Int = 3, isOpen: Bool = true, nickname: String? = "none") {
      (self.id, self.title, self.stars) = (id, title, stars)
      (self.isOpen, self.nickname) = (isOpen, nickname)
    }

    init<Row: RowReader & ~Copyable>(row: inout Row) throws {
      self.id = try row.member("id")
      self.title = try row.member(row.name("title", or: "heading", "name"))
      self.stars = try row.memberIfPresent("stars") ?? 3
      self.isOpen = try row.memberIfPresent("isOpen") ?? true
      self.nickname =
        try row.hasMember("nickname") ? row.memberIfPresent("nickname") : "none"
    }

    func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
      try row.setMember("id", to: self.id)
      try row.setMember("title", to: self.title)
      try row.setMember("stars", to: self.stars)
      try row.setMember("isOpen", to: self.isOpen)
      try row.setNullableMember("nickname", to: self.nickname)
    }

    init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
      self = mine
    }
  }

  @Test("Members that the file does not have get their defaults, and renamed ones are found")
  func laterVersion() throws {
    let folder = try TemporaryFolder()
    let old = try DatabaseFile<Drafts<OldDraft>>(path: folder.file())
    try old.save(
      Drafts([
        OldDraft(id: 1, name: "one", stars: 5), OldDraft(id: 2, name: "two"),
        OldDraft(id: 3, name: "three"),
      ]))
    try old.close()
    let file = try DatabaseFile<Drafts<Draft>>(path: folder.file())
    var drafts = try file.load()
    expectEqual(
      Array(drafts.drafts),
      [
        Draft(id: 1, title: "one", stars: 5), Draft(id: 2, title: "two"),
        Draft(id: 3, title: "three"),
      ])
    // The rows that are saved have the new names; the others keep the old ones.
    drafts.performBatchUpdates { context in
      context.modifying.drafts.updateIfExists(id: 2) { draft in
        draft.title = "second"
        draft.nickname = nil
      }
      context.modifying.drafts.insert(Draft(id: 4, title: "four", isOpen: false, nickname: "4"))
    }
    try file.save(drafts)
    try expectEqual(file.read(), drafts)
    try file.close()
    let again = try DatabaseFile<Drafts<Draft>>(path: folder.file())
    try expectEqual(again.load(), drafts)
    try again.withTurn { file in
      let row = try file.connection.prepare("SELECT name, title, nickname FROM drafts")
      try expectTrue(row.step())
      expectEqual((0..<3).map { row.value(at: $0) }, [.text("one"), .null, .null])
      try expectTrue(row.step())
      expectEqual(
        (0..<3).map { row.value(at: $0) }, [.null, .text("second"), StoredForm.explicitNil])
    }
  }

  private func message(_ sql: String) throws -> String? {
    let file = try DatabaseFile<Drafts<Draft>>.inMemory()
    try file.save(Drafts([Draft(id: 7, title: "seven")]))
    try file.withTurn { try $0.connection.edit(sql) }
    do {
      _ = try file.load()
      return nil
    } catch let error as DatabaseFileError {
      return "\(error)"
    }
  }

  @Test("Errors name the table, the row and the column")
  func errors() throws {
    let place = ":memory:: row 7 of drafts, column"
    try expectEqual(
      message("UPDATE drafts SET title=NULL"),
      "\(place) title, cannot be read: it has no value; expected String, found NULL")
    try expectEqual(
      message("UPDATE drafts SET title=1"),
      "\(place) title, cannot be read: expected String, found 1")
    try expectEqual(
      message("UPDATE drafts SET stars='many'"),
      "\(place) stars, cannot be read: expected Int, found \"many\"")
    try expectEqual(
      message("UPDATE drafts SET isOpen=2"),
      "\(place) isOpen, cannot be read: expected Bool, found 2")
    try expectNil(message("UPDATE drafts SET stars=NULL, isOpen=NULL"))
    try expectNil(message("UPDATE drafts SET stars=2.0, nickname=NULL"))
  }

  @Test("A table without the column of a member without a default is an error")
  func missingColumn() throws {
    struct Untitled: EntityType, Identifiable, Codable { let id: Int }
    let folder = try TemporaryFolder()
    let old = try DatabaseFile<Drafts<Untitled>>(path: folder.file())
    try old.save(Drafts([Untitled(id: 7)]))
    try old.close()
    let file = try DatabaseFile<Drafts<Draft>>(path: folder.file())
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(
      loaded.skippedRows.map(\.description),
      [
        "row 7 of drafts, column title, cannot be read: the table has no such column"
      ])
  }

  @Test("A raw value that an enum does not have is an error with those that it has")
  func unknownRawValue() throws {
    var random = SeededGenerator(seed: 1)
    let file = try DatabaseFile<Samples<GeneratedSample>>.inMemory()
    var samples = Samples<GeneratedSample>()
    samples.performBatchUpdates { context in
      context.modifying.samples.insert(GeneratedSample(SampleMembers(id: "a", &random)))
    }
    try file.save(samples)
    try file.withTurn { try $0.connection.edit("UPDATE samples SET kind='video'") }
    let error = #expect(throws: DatabaseFileError.self) { try file.load() }
    expectEqual(
      error.map { "\($0)" },
      """
      :memory:: row "a" of samples, column kind, cannot be read: "video" is no raw value of \
      Kind; known are "text", "link", "other"
      """)
  }

  @Test("A member that cannot be stored is an error with its name")
  func notStored() throws {
    struct Refusing: EntityType, Identifiable, RowCodable {
      struct Refusal: Encodable, Equatable {
        func encode(to encoder: any Encoder) throws {
          throw EncodingError.invalidValue(
            self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "never"))
        }
      }
      let id: Int

      init(id: Int) { self.id = id }
      init<Row: RowReader & ~Copyable>(row: inout Row) throws { id = try row.member("id") }
      func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
        try row.setMember("id", to: id)
        try row.setMember("refusal", to: Refusal())
      }
      init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
        self = mine
      }
    }
    let file = try DatabaseFile<Drafts<Refusing>>.inMemory()
    let error = #expect(throws: DatabaseFileError.self) {
      try file.save(Drafts([Refusing(id: 3)]))
    }
    expectEqual(
      error.map { "\($0)" }, ":memory:: row 3 of drafts, column refusal, cannot be stored: never")
  }
}
