import Entia
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// A storage as a user writes it: with the macro, `Codable` entities, and nothing about JSON.
private struct Singer: EntityType, Identifiable, Codable {
  let id: String
  var stageName: String
  var mentorID: EntityID?
}

private struct Song: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var recordedAt: Date
  var singerID: Singer.EntityID
  var guests: [Singer.EntityID]
}

@NormalizedStorage
private struct Label {
  @Table var singers: Tables.Hash<Singer> = .init()
  @Table var songs: Tables.Ordered<Song> = .init()
  @Index var singerNames: Indexes.Unique<Singer, String> = .init(\.stageName)
  @Relationship var songSinger: ToOne<Song, Singer> = .init(\.singerID, onDelete: .cascade)
  @Relationship var songGuests: ToMany<Song, Singer> = .init(\.guests, onDelete: .nullify)
}

@Suite("Typed import into a storage that the macro made")
struct MacroImportTests {
  private let json = """
    [
      {"id": 1, "title": "Dawn", "recorded_at": "2026-11-21T15:30:00Z",
       "singer": {"id": "s1", "stage_name": "Ann", "mentor": {"id": "s2", "stage_name": "Bea"}},
       "guests": ["s2", {"id": "s3", "stage_name": "Cy", "mentor_id": "s1"}]},
      {"id": 2, "title": "Dusk", "recorded_at": "2026-11-22T15:30:00Z", "singer_id": "s3", "guests": []}
    ]
    """

  private let options = TypedImportOptions(keys: .snakeCase, dates: .iso8601)

  @Test("nested objects become entities in one batch, visible to views and indexes")
  func imports() throws {
    var label = Label()
    let report = try label.importJSON(source(json), of: Song.self, options: options)
    expectTrue(report.problems.isEmpty && report.inserted == 5)
    expectTrue(label.songs.count == 2 && label.singers.count == 3)
    let song = try #require(label.view(of: Song.EntityID(1)))
    expectEqual(song[\.songSinger]?.stageName, "Ann")
    expectEqual(song[\.songGuests].map(\.stageName), ["Bea", "Cy"])
    expectEqual(label.singers.find(by: "s1")?.mentorID, "s2")
    expectEqual(label.singerNames.find(by: "Cy"), "s3")
    expectTrue(label.verify().isEmpty)
    let again = try label.importJSON(source(json), of: Song.self, options: options)
    expectTrue(again.inserted == 0 && again.unchanged == again.read)
  }

  @Test("an export imports to an equal storage")
  func exports() throws {
    var label = Label()
    try label.importJSON(source(json), of: Song.self, options: options)
    let bytes = try label.exportJSON(
      Song.self, depth: 2, options: TypedExportOptions(keys: .snakeCase, dates: .iso8601))
    var copy = Label()
    try copy.importJSON(
      ImportSource(name: "again", bytes: bytes), of: Song.self, options: options)
    expectEqual(copy, label)
  }

  @Test("a violated rule or a problem in the text leaves the storage unchanged")
  func refusals() throws {
    var label = Label()
    try label.importJSON(source(json), of: Song.self, options: options)
    let before = label
    let namesake = """
      [{"id": 3, "title": "x", "recorded_at": "2026-11-22T15:30:00Z", "guests": [],
        "singer": {"id": "s9", "stage_name": "Ann"}}]
      """
    #expect(throws: (any Error).self) {
      try label.importJSON(source(namesake), of: Song.self, options: options)
    }
    expectEqual(label, before)
    let broken = """
      [{"id": 3, "title": 7, "recorded_at": "2026-11-22T15:30:00Z", "guests": [], "singer_id": "s1"},
       {"id": 4, "title": "x", "recorded_at": "2026-11-22T15:30:00Z", "guests": [{}], "singer_id": "s1"}]
      """
    let error = #expect(throws: ImportProblems.self) {
      try label.importJSON(source(broken), of: Song.self, options: options)
    }
    expectEqual(error?.problems.map(\.path), ["$[0].title", "$[1].guests[0]"])
    expectEqual(label, before)
  }
}
