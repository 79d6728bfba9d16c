import EntiaLaws
import EntiaLocalServer
import EntiaPostgreSQL
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite(
  "JSON into a space and back", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct RecordSpaceTests {
  private func check(
    _ original: RecordDatabase, _ space: RecordSpace, _ comment: Comment? = nil
  ) throws {
    try space.write(original, replacingRows: true)
    let (json, notes) = try space.read()
    expectTrue(notes.isEmpty, comment)
    let copy = try database(json)
    let isEqual = copy == original
    expectTrue(isEqual, comment)
    let isSame = copy.write() == original.write()
    expectTrue(isSame, comment)
  }

  @Test("Each fixture comes back as its canonical JSON")
  func fixtures() async throws {
    let connection = try await TestSpaces.connection()
    for name in [
      "blog/expected.json", "cycle/expected.json", "cycle/tables.expected.json",
      "dangling/expected.json", "described/expected.json", "described/graphql.expected.json",
      "gallery/expected.json", "music/expected.json", "partial/expected.json",
      "shared/expected.json",
    ] {
      let bytes = try fixture(name)
      let space = try RecordSpace(connecting: connection, space: "fixture \(name)")
      try check(try database(bytes), space, "\(name)")
      try expectEqual(database(try space.read().json).write(), bytes, "\(name)")
    }
  }

  @Test("Rows with hostile names, IDs and values come back as they were")
  func anyRows() async throws {
    let space = try RecordSpace(
      connecting: try await TestSpaces.connection(), space: "any 'rows' \"\u{e9}\"")
    for seed in 0..<UInt64(scaled(33)) {
      var random = SeededGenerator(seed: seed)
      let text = HostileTables.json(using: &random)
      let (original, _) = RecordDatabase.read(ImportSource(name: "input", bytes: Array(text.utf8)))
      // Two spellings of one value among the IDs are refused.
      guard let original else { continue }
      try check(original, space, "seed \(seed): \(text)")
    }
  }

  @Test("Values that nest deeper than a server stores, and long numbers, come back as they were")
  func extremes() async throws {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let long = String(repeating: "9", count: 200_000)
    let text = """
      {"schema": {"entities": {"$a\\u0000": {}}}, "entities": {"$a\\u0000": {"1": {"id": 1, \
      "deep": \(deep), "$json:": "$json:1", "n": \(long), "s": "$number:1", "t": "$number:x"}}}}
      """
    let space = try RecordSpace(
      connecting: try await TestSpaces.connection(), space: "extremes")
    try check(try database(Array(text.utf8)), space)
  }

  @Test("Each row keeps the order of its members, also one of its own")
  func memberOrder() async throws {
    let text = """
      {"schema": {"entities": {"a": {}}}, "entities": {"a": {"1": {"id": 1, "b": 1, "a": {"z": 1}}, \
      "2": {"id": 2, "a": 1, "b": 2}, "3": {"id": 3, "b": 3, "a": 3}, "4": {"id": 4, "c": 1}}}}
      """
    let original = try database(Array(text.utf8))
    let names = original.records.map { $0.members.map(\.name) }
    expectEqual(names, [["b", "a"], ["a", "b"], ["b", "a"], ["c"]])
    let space = try RecordSpace(
      connecting: try await TestSpaces.connection(), space: "orders")
    try check(original, space)
  }

  @Test("Composite IDs come back from the members")
  func compositeIDs() async throws {
    let text = """
      {"schema": {"entities": {"seats": {"id": ["row", "number"]}}}, \
      "entities": {"seats": [{"row": "B", "number": 2, "free": true}, {"row": "A", "number": 1}, \
      {"row": "A", "number": "1"}, {"row": "A/1", "number": 1e999}]}, "result": {"seats": ["B/2"]}}
      """
    let space = try RecordSpace(
      connecting: try await TestSpaces.connection(), space: "composite")
    try check(try database(Array(text.utf8)), space)
  }

  @Test("A space with rows is refused, and keeps them; replacing it is one version")
  func notEmpty() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "twice")
    let first = try database(try fixture("blog/expected.json"))
    // An empty database leaves the space empty.
    try space.write(RecordDatabase(), replacingRows: false)
    try space.write(first, replacingRows: false)
    let second = try database(try fixture("music/expected.json"))
    #expect {
      try space.write(second, replacingRows: false)
    } throws: { error in
      (error as? UntypedSpace.NotEmpty)?.count == Int64(first.count)
    }
    try expectEqual(database(try space.read().json), first)
    try space.write(second, replacingRows: true)
    try expectEqual(database(try space.read().json), second)
  }

  @Test("A space that does not exist, and a server without tables, are typed errors")
  func missing() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "none")
    #expect(throws: SharedDatabaseError.spaceNotFound(space: "none")) { _ = try space.read() }
    let server = try await LocalServer.shared()
    let other = try RecordSpace(connecting: server.string(), space: "none")
    #expect {
      _ = try other.read()
    } throws: { error in
      if case SharedDatabaseError.notInstalled = error { true } else { false }
    }
    #expect {
      try other.write(RecordDatabase(), replacingRows: false)
    } throws: { error in
      if case SharedDatabaseError.notInstalled = error { true } else { false }
    }
  }
}
