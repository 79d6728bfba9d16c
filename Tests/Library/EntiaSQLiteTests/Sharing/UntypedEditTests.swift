import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Edits of rows without Swift types")
struct UntypedEditTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    var shop = Shop()
    shop.performBatchUpdates { $0.modifying.notes.insert([Note(id: "a", text: "saved")]) }
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop)
    try file.close()
  }

  /// Writes an edit that sets the text of the note.
  private func write(_ text: String, _ edit: UntypedEdit) throws -> Bool {
    try edit.write { file in
      let part = try #require(file.parts().first { $0.name == "notes" })
      let rows = try UntypedRows(part, in: file)
      let isFound = try rows.update(
        .text("a"), [(member: try rows.index(of: "text"), value: .text(text))])
      expectTrue(isFound)
      return [rows]
    }
  }

  private func text() throws -> String? {
    let reader = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true))
    return try reader.load().notes.find(by: "a")?.text
  }

  @Test("An edit that was overtaken writes nothing, and may begin again")
  func overtaken() throws {
    let (first, second) = (try UntypedEdit(path), try UntypedEdit(path))
    try first.read { _ in }
    try second.read { _ in }
    try expectTrue(write("second", second))
    try expectFalse(write("first", first))
    try expectEqual(text(), "second")
    try first.read { _ in }
    try expectTrue(write("first", first))
    try expectEqual(text(), "first")
  }

  @Test("An edit that keeps others from writing is not overtaken, and ends by its write", .prompt)
  func held() throws {
    let (first, second) = (try UntypedEdit(path), try UntypedEdit(path))
    try second.read { _ in }
    try first.hold()
    try first.read { _ in }
    #expect(throws: DatabaseFileError.isLocked(file: path)) { try write("second", second) }
    try expectEqual(text(), "saved")
    try expectTrue(write("first", first))
    try expectEqual(text(), "first")
    // Its reading is of before the other edit.
    try expectFalse(write("second", second))
    try second.read { _ in }
    try expectTrue(write("second", second))
    try expectEqual(text(), "second")
  }

  @Test("An edit that is given up lets others write, and leaves nothing")
  func givenUp() throws {
    var first: UntypedEdit? = try UntypedEdit(path)
    let second = try UntypedEdit(path)
    try first?.hold()
    try first?.read { _ in }
    first = nil
    try second.read { _ in }
    try expectTrue(write("second", second))
    try expectEqual(text(), "second")
  }
}
