import Entia
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Members whose types are optionals that the macro does not see as such.
@Suite("Optionals that are inferred or have an alias, in SQLite")
struct InferredOptionalTests {
  @NormalizedStorage
  struct Sites {
    @Table var sites: Tables.Hash<InferredSite> = .init()
  }

  @Test("nil is nil again, and a missing column is the declared value")
  func roundTrip() throws {
    var empty = InferredSite(id: 1)
    (empty.homepage, empty.number, empty.first, empty.five) = (nil, nil, nil, nil)
    (empty.alias, empty.mode, empty.owner) = (nil, nil, nil)
    var sites = Sites()
    sites.performBatchUpdates { $0.modifying.sites.insert([empty, InferredSite(id: 2)]) }
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Sites>(path: folder.file())
    try file.save(sites)
    try file.close()
    let again = try DatabaseFile<Sites>(path: folder.file())
    try expectEqual(again.load(), sites)
    try again.withTurn { file in
      let row = try file.connection.prepare("SELECT homepage, alias, mode FROM sites")
      try expectTrue(row.step())
      expectEqual(
        (0..<3).map { row.value(at: $0) }, Array(repeating: StoredForm.explicitNil, count: 3))
      try expectTrue(row.step())
      expectEqual(
        (0..<3).map { row.value(at: $0) },
        [
          .text("https://example.com"), .integer(4), .text("b"),
        ])
    }
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
}
