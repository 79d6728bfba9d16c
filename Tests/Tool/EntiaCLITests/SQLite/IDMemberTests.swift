import EntiaDatabase
import EntiaJSON
import EntiaSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// A row whose ID is two of its members.
private struct Box: EntityType, Codable {
  struct Place: Hashable, Codable {
    var shelf: String
    var position: Int
  }
  typealias EntityIDRawType = Place

  var shelf: String
  var position: Int
  var name: String
  var entityID: EntityID { EntityID(Place(shelf: shelf, position: position)) }
}

/// A row whose ID is one of its members, which is not called `id`.
private struct Sheet: EntityType, Codable {
  typealias EntityIDRawType = String

  var slug: String
  var title: String
  var entityID: EntityID { EntityID(slug) }
}

private struct Storeroom: NormalizedStorageType, Equatable {
  struct Contents: StorageContents {
    var boxes = Tables.Hash<Box>()
    var sheets = Tables.Hash<Sheet>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("boxes", \.boxes)
      visitor.table("sheets", \.sheets)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite("IDs in members of a program's rows that are also in a column of their own")
struct IDMemberTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], exit code: Int32 = 0) throws -> String {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.errorText)")
    return code == 0 ? outcome.outputText : outcome.errorText
  }

  /// Saves boxes and sheets as a program does.
  private func save(boxes: Int = 0, sheets: [String] = [], titles: [String]? = nil) throws {
    var room = Storeroom()
    room.performBatchUpdates { batch in
      batch.modifying.boxes.insert(
        (0..<boxes).map { Box(shelf: "a", position: $0, name: "x") })
      batch.modifying.sheets.insert(
        sheets.indices.map { Sheet(slug: sheets[$0], title: titles?[$0] ?? "a") })
    }
    let file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
  }

  @Test("A member that is a part of the ID of a program's row is not changed")
  func partOfID() throws {
    try save(boxes: 2)
    let id = #"{"position":0,"shelf":"a"}"#
    let before = try Data(contentsOf: URL(filePath: path))
    try expectTrue(
      run(["patch", path, "boxes", id, #"{"position": 1}"#], exit: 65).hasPrefix(
        "entia patch: cannot change '\(path)': \"position\" is the ID of boxes "))
    try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    _ = try run(["patch", path, "boxes", id, #"{"name": "y"}"#])
    let boxes = try DatabaseFile<Storeroom>(path: path).load().snapshot.contents.boxes
    expectEqual(boxes.map(\.name).sorted(), ["x", "y"])
    try expectTrue(run(["verify", path]).contains("no problems"))
    try folder.execute("UPDATE boxes SET position=5 WHERE name='y'", path)
    let verified = try EntiaProcess.run(["verify", path])
    expectEqual(verified.exitCode, 65)
    expectTrue(verified.outputText.contains("entia_id of boxes"), "\(verified.outputText)")
    expectTrue(verified.outputText.hasSuffix(": 1 problem\n"))
    try expectEqual(DatabaseFile<Storeroom>(path: path).load().snapshot.contents.boxes.count, 2)
  }

  @Test("A member that is the ID of each row is not changed, whatever its name is")
  func otherName() throws {
    try save(sheets: ["a", "b"])
    try expectTrue(
      run(["patch", path, "sheets", "a", #"{"slug": "c"}"#], exit: 65).hasPrefix(
        "entia patch: cannot change '\(path)': \"slug\" is the ID of sheets \"a\""))
    // The title is an ID of one row by chance.
    _ = try run(["patch", path, "sheets", "a", #"{"title": "b"}"#])
    let sheets = try DatabaseFile<Storeroom>(path: path).load().snapshot.contents.sheets
    expectEqual(sheets.map { $0.slug + $0.title }.sorted(), ["ab", "ba"])
  }

  @Test("A member of the only row may have the value of its ID by chance")
  func onlyRow() throws {
    try save(sheets: ["a"])
    _ = try run(["patch", path, "sheets", "a", #"{"title": "b"}"#])
    let sheets = try DatabaseFile<Storeroom>(path: path).load().snapshot.contents.sheets
    expectEqual(sheets.map(\.title), ["b"])
  }

  @Test("Of two members that are equal to the ID in each row, one may be changed")
  func twoMembers() throws {
    try save(sheets: ["a", "b"], titles: ["a", "b"])
    try expectTrue(
      run(["patch", path, "sheets", "a", #"{"slug": "c", "title": "d"}"#], exit: 65).contains(
        #""slug" or "title" is the ID of sheets "a" and cannot be changed"#))
    _ = try run(["patch", path, "sheets", "a", #"{"title": "d"}"#])
    let sheets = try DatabaseFile<Storeroom>(path: path).load().snapshot.contents.sheets
    expectEqual(sheets.map { $0.slug + $0.title }.sorted(), ["ad", "bb"])
  }

  @Test("Many rows with another ID in their members are counted")
  func many() throws {
    try save(boxes: 1_501)
    try folder.execute("UPDATE boxes SET position=position+5000 WHERE position>0", path)
    let problems = try RecordFile.valueProblems(of: path)
    expectEqual(problems.count, 1_000)
    expectEqual(problems.total, 1_500)
  }
}
