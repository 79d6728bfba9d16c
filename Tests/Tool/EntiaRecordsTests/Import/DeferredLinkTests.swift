import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Imports that defer links")
struct DeferredLinkTests {
  private func importing(
    _ blog: GeneratedBlog, into base: RecordDatabase? = nil, defersLinks: Bool
  ) throws -> RecordDatabase {
    var bytes: [UInt8] = []
    blog.write(as: .tables) { bytes += $0 }
    var options = ImportOptions()
    options.onConflict = .replace
    options.defersLinks = defersLinks
    let source = ImportSource(name: "blog", bytes: bytes)
    return try #require(Importer.importing([source], into: base, options: options).database)
  }

  private func check(_ found: RecordDatabase, _ expected: RecordDatabase, _ place: String) {
    expectEqual(found, expected, "\(place)")
    let missing = RecordID(entity: "posts", key: .string("missing"))
    for id in expected.records.map(\.id) + [missing] {
      let holders = expected.holders(of: id)
      expectEqual(found.holders(of: id), holders, "\(place): \(id)")
      let references = found.storage.snapshot.contents.references
      expectEqual(references.holderCount(of: .init(id)), holders.count, "\(place): \(id)")
      expectEqual(references.isReferenced(.init(id)), !holders.isEmpty, "\(place): \(id)")
      for holder in holders {
        expectTrue(references.isReferenced(.init(id), by: .init(holder)), "\(place): \(id)")
      }
      expectFalse(references.isReferenced(.init(id), by: .init(missing)), "\(place): \(id)")
    }
    let targets = found.storage.snapshot.contents.references.linkedTargetIDs
    expectEqual(
      Set(targets), Set(expected.storage.snapshot.contents.references.linkedTargetIDs),
      "\(place)")
    expectEqual(found.storage.defects(), [], "\(place)")
  }

  @Test("Law 14: deferred links are those of the rows, before and after a row changes")
  func links() throws {
    for seed in LawRuns(count: 2).seeds {
      var random = SeededGenerator(seed: seed)
      func blog() throws -> GeneratedBlog {
        try GeneratedBlog(
          authors: .random(in: 1..<6, using: &random), posts: .random(in: 6..<12, using: &random),
          comments: .random(in: 0..<60, using: &random), seed: random.next())
      }
      let (first, second) = (try blog(), try blog())
      let deferred = try importing(first, defersLinks: true)
      let expected = try importing(first, defersLinks: false)
      check(deferred, expected, "seed \(seed)")
      let changed = try importing(second, into: deferred, defersLinks: true)
      check(changed, try importing(second, into: expected, defersLinks: false), "seed \(seed)")
      // The version before is as it was.
      check(deferred, expected, "seed \(seed), held")
    }
  }
}
