import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// Members whose types are optionals that the macro does not see as such.
@Suite("Optionals that are inferred or have an alias")
struct InferredOptionalTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read(_ text: String) throws -> InferredSite {
    try JSONDecoder().decode(InferredSite.self, from: Data(text.utf8))
  }

  @Test("nil is written as null, null is nil, and a missing member has the declared value")
  func codable() throws {
    var site = InferredSite(id: 1)
    try expectEqual(read(#"{"id":1}"#), site)
    try expectEqual(
      json(site),
      """
      {"alias":4,"count":6,"first":1,"five":5,"homepage":"https://example.com","id":1,\
      "mode":"b","number":3,"owner":7,"plain":"a","renamed":8}
      """)
    try expectEqual(read(try json(site)), site)
    site.empty()
    let text = """
      {"alias":null,"count":6,"first":null,"five":null,"homepage":null,"id":1,"mode":null,\
      "number":null,"owner":null,"plain":"a","renamed":null}
      """
    try expectEqual(json(site), text)
    try expectEqual(read(text), site)
    // Null is the declared value of a member that is no optional.
    let other = try read(#"{"count":null,"id":1,"old":3,"plain":null}"#)
    expectTrue(other.plain == .a && other.count == 6 && other.renamed == 3)
    try expectNil(read(#"{"id":1,"old":3,"renamed":null}"#).renamed)
  }

  @Test("A member that one version empties is nil in the merge")
  func merging() throws {
    var base = Sites()
    base.performBatchUpdates { $0.modifying.sites.insert(InferredSite(id: 1)) }
    var mine = base
    mine.performBatchUpdates { batch in
      batch.modifying.sites.updateIfExists(id: 1) { $0.count = 7 }
    }
    var theirs = base
    theirs.performBatchUpdates { batch in
      batch.modifying.sites.updateIfExists(id: 1) { $0.empty() }
    }
    let merged = try mine.merging(theirs, base: base)
    var expected = InferredSite(id: 1, count: 7)
    expected.empty()
    expectEqual(merged.storage.sites.find(by: 1), expected)
  }

  @NormalizedStorage
  struct Sites {
    @Table var sites: Tables.Hash<InferredSite> = .init()
  }
}

@Entity
struct InferredSite {
  enum Mode: String { case a, b }
  typealias MaybeInt = Int?
  typealias MaybeMode = Mode?
  typealias MaybeSite = EntityIdentifier<InferredSite>?

  let id: Int
  var homepage = URL(string: "https://example.com")
  var number = Int("3")
  var first = [1, 2].first
  var five = Optional(5)
  var alias: MaybeInt = 4
  var mode: MaybeMode = .b
  var owner: MaybeSite = EntityIdentifier(7)
  @Stored(renamedFrom: "old") var renamed: MaybeInt = 8
  var plain = Mode.a
  var count = 2 * 3

  mutating func empty() {
    (homepage, number, first, five) = (nil, nil, nil, nil)
    (alias, mode, owner, renamed) = (nil, nil, nil, nil)
  }
}
