import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@Suite("Laws 28 to 30 for relationships to several entities and derived IDs")
struct GalleryLawTests {
  private let options = ImportOptions(
    format: .nested, schema: RandomGallery.schema, root: "albums")

  private func forEachSeed(
    _ runs: Int, _ body: (RandomGallery, inout SeededGenerator, String) throws -> Void
  ) throws {
    for seed in 0..<UInt64(scaled(runs)) {
      var random = SeededGenerator(seed: seed)
      let gallery = RandomGallery(using: &random)
      try body(gallery, &random, "seed \(seed)")
    }
  }

  @Test("Law 28: denormalize(normalize(x)) == x, without derived IDs")
  func trees() throws {
    try forEachSeed(67) { gallery, random, seed in
      let database = try #require(importing([gallery.text], options).database, "\(seed)")
      expectEqual(database.verifyProblems(file: "db"), [], "\(seed)")
      let records = try gallery.records.map { try JSONText.parse(Array($0.utf8)) }
      let back = try JSONValue.parse(Array(database.nested("albums", depth: 100).utf8))
      guard case .array(let albums) = back else {
        Issue.record("\(seed)")
        return
      }
      let texts = try albums.map { try JSONText.parse($0.bytes()) }
      expectEqual(texts, records, "\(seed)")
      // Cut at any depth, what is written out is the same rows.
      let depth = Int.random(in: 0...4, using: &random)
      let again = importing([database.nested("albums", depth: depth)], into: database, options)
      expectTrue(again.database == database && again.report.updated == 0, "\(seed)")
    }
  }

  @Test("Laws 29 and 30: again, in any order, in shards, and through a file: the same rows")
  func splitting() throws {
    try forEachSeed(20) { gallery, random, seed in
      let database = try #require(importing([gallery.text], options).database, "\(seed)")
      let bytes = database.write()
      let (second, report) = importing([gallery.text], into: database, options)
      expectTrue(second == database && report.unchanged == report.read, "\(seed)")
      let read = RecordDatabase.read(ImportSource(name: "db", bytes: bytes))
      expectTrue(read.database == database && read.database?.write() == bytes, "\(seed)")
      let records = gallery.records.shuffled(using: &random)
      let shards = records.map { "[\($0)]" }
      let sharded = importing(shards, options).database
      expectEqual(sharded?.canonicalRows, database.canonicalRows, "\(seed)")
      var lines = options
      lines.format = .ndjson
      let text = records.joined(separator: "\n")
      expectEqual(importing([text], lines).database?.write(), sharded?.write(), "\(seed)")
    }
  }

  @Test("Law 29: rows get the types that references have, in whatever order imports read them")
  func typesFromReferences() throws {
    let options = ImportOptions(format: .tables, schema: RandomGallery.schema)
    for seed in 0..<UInt64(scaled(60)) {
      var random = SeededGenerator(seed: seed)
      let pieces = RandomGallery.piecesWithoutTypes(using: &random).shuffled(using: &random)
      let whole = try #require(importing(pieces, options).database, "seed \(seed)")
      expectEqual(whole.verifyProblems(file: "db"), [], "seed \(seed)")
      let read = RecordDatabase.read(ImportSource(name: "db", bytes: whole.write()))
      expectTrue(read.database == whole, "seed \(seed)")
      var database: RecordDatabase?
      var rest = pieces.shuffled(using: &random)[...]
      while !rest.isEmpty {
        let some = rest.prefix(Int.random(in: 1...3, using: &random))
        rest = rest.dropFirst(some.count)
        database = importing(Array(some), into: database, options).database
      }
      expectEqual(database?.canonicalRows, whole.canonicalRows, "seed \(seed)")
      for piece in pieces {
        let again = importing([piece], into: database, options)
        expectTrue(again.database == database && again.report.updated == 0, "seed \(seed)")
      }
      // A patch changes its row alone.
      let row = try #require(database?.records.randomElement(using: &random))
      let patched = try #require(
        try database?.patching(
          row.id.key.text, of: row.id.entity, with: Array(#"{"extra":1}"#.utf8)))
      let others = patched.records.filter { $0.id != row.id }
      expectTrue(others.allSatisfy { database?.record($0.id) == $0 }, "seed \(seed)")
    }
  }
}
