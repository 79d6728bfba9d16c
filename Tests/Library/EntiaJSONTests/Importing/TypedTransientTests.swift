import Entia
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Testing

struct Bulletin: EntityType, Identifiable, Codable {
  let id: Int
  var text: String
  @Transient var isExpanded = false
}

@NormalizedStorage
struct BulletinBoard {
  @Table var bulletins: Tables.Hash<Bulletin> = .init()
}

@Suite("Typed import of rows with transient members")
struct TypedTransientTests {
  private func board() throws -> BulletinBoard {
    var board = BulletinBoard()
    try board.importJSON(
      source(#"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#), of: Bulletin.self)
    board.performBatchUpdates { context in
      for id in [1, 2] { context.modifying.bulletins[Bulletin.EntityID(id)]?.isExpanded = true }
    }
    return board
  }

  @Test("Replaced rows have the declared values, and a policy keeps the present ones")
  func importing() throws {
    let page = #"[{"id": 1, "text": "a"}, {"id": 2, "text": "new"}]"#
    var replaced = try board()
    try replaced.importJSON(source(page), of: Bulletin.self, merging: .replace)
    expectEqual(replaced.bulletins.map(\.isExpanded), [false, false])
    var kept = try board()
    try kept.importJSON(source(page), of: Bulletin.self, merging: .keeping(\.isExpanded))
    expectEqual(kept.bulletins.map(\.isExpanded), [true, true])
    expectEqual(kept.bulletins.map(\.text), ["a", "new"])
  }

  @Test("An import repeated is no conflict with rows whose transient members have changed")
  func repeated() throws {
    let page = #"[{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]"#
    var board = try board()
    let report = try board.importJSON(source(page), of: Bulletin.self)
    expectTrue(report.unchanged == 2 && board.bulletins.map(\.isExpanded) == [true, true])
    let tables = ImportSource(name: "tables", bytes: try board.exportTables())
    expectEqual(Importer.importingTables([tables], into: board).database, board)
    #expect(throws: ImportProblems.self) {
      try board.importJSON(source(#"[{"id": 1, "text": "other"}]"#), of: Bulletin.self)
    }
    expectEqual(board.bulletins.map(\.isExpanded), [true, true])
  }
}
