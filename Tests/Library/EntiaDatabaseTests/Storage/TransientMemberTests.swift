import EntiaDatabase
import Foundation
import Testing

/// A member that is not stored: left out of the coding keys, with a default.
@Suite("Members that are only left out of the coding keys")
struct TransientMemberTests {
  struct Note: EntityType, Identifiable, Codable {
    let id: Int
    var text: String
    var isExpanded = true

    enum CodingKeys: CodingKey { case id, text }
  }

  @Test("Decoding gives the declared default, and a change is a change")
  func coding() throws {
    var table = Tables.Hash([Note(id: 1, text: "a"), Note(id: 2, text: "b")])
    let before = table
    table.updateIfExists(id: 1) { $0.isExpanded = false }
    #expect(table.changes(since: before).updated.map(\.new.isExpanded) == [false])
    let data = try JSONEncoder().encode(table)
    #expect(!String(decoding: data, as: UTF8.self).contains("isExpanded"))
    #expect(try JSONDecoder().decode(Tables.Hash<Note>.self, from: data) == before)
  }
}
