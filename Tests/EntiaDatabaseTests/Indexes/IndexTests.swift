import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Indexes, never out of step")
struct IndexTests {
  @Test("Indexes.Hash and Indexes.Unique find by key")
  func finding() throws {
    let catalog = try Catalog([
      Track(id: 2, title: "A", year: 1, code: "x"), Track(id: 1, title: "A", year: 1),
      Track(id: 3, title: "B", year: 1, code: "y"),
    ])
    #expect(catalog.titles.ids(for: "A") == [2, 1])
    #expect(catalog.titles.ids(for: "C") == [] && !catalog.titles.contains("C"))
    #expect(catalog.titles.count == 2 && catalog.titles.keys() == ["A", "B"])
    #expect(catalog.code.find(by: "x") == 2 && catalog.code.find(by: "z") == nil)
    #expect(catalog.code.count == 2 && catalog.code.contains("y"))
    #expect(catalog.email.find(by: "a@b.c") == 0)
  }

  @Test("A batch sees its own writes in indexes, and a thrown batch leaves none")
  func staged() throws {
    struct Stop: Error {}
    var catalog = try Catalog([Track(id: 1, title: "A", year: 1960, code: "x")])
    #expect(throws: Stop.self) {
      try catalog.performBatchUpdates { context in
        context.modifying.tracks.updateIfExists(id: 1) { $0.year = 1970 }
        context.modifying.tracks.insert(Track(id: 2, title: "B", year: 1950, code: "x"))
        #expect(Array(context.modifying.byYear.ids()) == [2, 1])
        #expect(context.modifying.code.ids(for: "x") == [1, 2])
        throw Stop()
      }
    }
    #expect(Array(catalog.byYear.ids(in: 1960...)) == [1])
    #expect(catalog.code.find(by: "x") == 1 && catalog.code.ids(for: "x") == [1])
    #expect(catalog.verify() == [])
  }

  @Test("Cascades, change sets and their inverses keep indexes in step")
  func changeSets() throws {
    var catalog = try Catalog([
      Track(id: 1, title: "A", year: 1960), Track(id: 2, title: "B", year: 1950),
    ])
    let before = catalog
    try catalog.performBatchUpdates { $0.modifying.bands.remove(0) }
    #expect(catalog.byYear.isEmpty && catalog.titles.isEmpty && catalog.email.isEmpty)
    try catalog.apply(catalog.changes(since: before).inverted)
    #expect(Array(catalog.byYear.ids()) == [2, 1] && catalog.email.find(by: "a@b.c") == 0)
    #expect(catalog == before && catalog.verify() == [])
  }

  @Test("Indexes are no part of what is encoded, and are there after decoding")
  func coding() throws {
    let catalog = try Catalog([Track(id: 1, title: "A", year: 1960, code: "x")])
    let data = try JSONEncoder().encode(catalog)
    #expect(!String(decoding: data, as: UTF8.self).contains("byYear"))
    let decoded = try JSONDecoder().decode(Catalog.self, from: data)
    #expect(decoded == catalog && decoded.code.find(by: "x") == 1)
    #expect(decoded.verify() == [])
  }

  @Test("verify() names the index, the entity and the key that are out of step")
  func verify() throws {
    let catalog = try Catalog([Track(id: 1, title: "A", year: 1960, code: "x")])
    var contents = catalog.snapshot.contents
    contents.byYear.removeAll()
    contents.code.rowChanged(from: nil, to: Track(id: 7, title: "", year: 1, code: "x"))
    contents.titles.rowChanged(from: catalog.tracks.find(by: 1), to: nil)
    var broken = catalog
    broken.snapshot = Snapshot(unchecked: contents)
    #expect(
      broken.verify().map(\.description) == [
        "byYear: Track 1 is not filed under 1960 as its row says",
        "code: Track 7 is not filed under x as its row says",
        "titles: Track 1 is not filed under A as its row says",
        "code: Track 1 and Track 7 have the same key x",
      ])
  }
}
