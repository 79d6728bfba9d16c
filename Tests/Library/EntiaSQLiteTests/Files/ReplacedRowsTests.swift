import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Saves that replace rows which were not loaded")
struct ReplacedRowsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    let file = try DatabaseFile<OldShelf>(path: path)
    try file.save(OldShelf.sample)
    try file.close()
  }

  private func newFile() throws -> DatabaseFile<NewShelf> { try DatabaseFile(path: path) }

  /// Returns the rows of the boxes, with the member that the newer program does not have.
  private func boxes(_ file: DatabaseFile<NewShelf>) throws -> StoredValue? {
    try file.withTurn {
      try $0.connection.value(
        """
        SELECT group_concat(id || name || coalesce(note, '-'))
        FROM (SELECT * FROM boxes ORDER BY id)
        """
      )
    }
  }

  private func execute(_ sql: String) throws {
    try SQLiteConnection(path: path, mode: .readWrite).edit(sql)
  }

  @Test("Skipped rows are removed, and the others keep the members that the program lacks")
  func skipped() throws {
    let file = try newFile()
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.skippedRows.count, 3)
    var shelf = loaded.database
    try file.save(shelf, replacing: true)
    try expectEqual(file.load(), shelf)
    try expectEqual(boxes(file), .text("xXof x,yYof y"))
    shelf.performBatchUpdates { context in
      context.modifying.boxes.updateIfExists(id: "x") { $0.name = "X!" }
      context.modifying.items.insert(NewShelf.Item(id: 1, name: "new", size: 1))
      context.modifying.tags.append(NewShelf.Tag(id: "s", size: 1))
    }
    try file.save(shelf)
    try expectEqual(file.load(), shelf)
    try expectEqual(boxes(file), .text("xX!of x,yYof y"))
  }

  @Test("The same save may insert, change and remove rows")
  func changed() throws {
    let file = try newFile()
    var shelf = try file.load(onBrokenRow: .skip).database
    shelf.performBatchUpdates { context in
      context.modifying.boxes.updateIfExists(id: "x") { $0.name = "X!" }
      context.modifying.boxes.remove("y")
      context.modifying.boxes.insert(NewShelf.Box(id: "z", name: "Z"))
      context.modifying.items.insert(NewShelf.Item(id: 1, name: "new", size: 1, box: "z"))
      context.modifying.tags.append(NewShelf.Tag(id: "t", size: 1))
    }
    try file.save(shelf, replacing: true)
    try expectEqual(boxes(file), .text("xX!of x,zZ-"))
    try file.close()
    let again = try newFile()
    try expectEqual(again.load(), shelf)
  }

  @Test(
    "What another program has changed since the load is replaced, except members of its own",
    arguments: [
      "UPDATE boxes SET name='sq' WHERE id='x'",
      "INSERT INTO boxes(id, name) VALUES ('q', 'Q')",
      "INSERT INTO boxes(id, name) VALUES ('z', 'sq')",
      "UPDATE boxes SET id='q' WHERE id='y'; UPDATE boxes SET entia_order=NULL",
      "UPDATE boxes SET name=NULL WHERE id='y'",
    ], [true, false])
  func edited(sql: String, changes: Bool) throws {
    let file = try newFile()
    var shelf = try file.load(onBrokenRow: .skip).database
    try execute(sql)
    if changes {
      shelf.performBatchUpdates { context in
        context.modifying.boxes.updateIfExists(id: "y") { $0.name = "Y!" }
        context.modifying.boxes.insert(NewShelf.Box(id: "z", name: "Z"))
      }
    }
    try file.save(shelf, replacing: true)
    let note = sql.contains("SET id") ? "-" : "of y"
    try expectEqual(boxes(file), .text(changes ? "xXof x,yY!\(note),zZ-" : "xXof x,yY\(note)"))
    try expectEqual(file.load(), shelf)
    try file.close()
    let again = try newFile()
    try expectEqual(again.load(), shelf)
  }

  @Test("A file that was not loaded gets the rows of the version alone")
  func notLoaded() throws {
    let file = try newFile()
    var shelf = NewShelf()
    shelf.performBatchUpdates { $0.modifying.boxes.insert(NewShelf.Box(id: "x", name: "new")) }
    try file.save(shelf, replacing: true)
    try expectEqual(file.load(), shelf)
    try expectEqual(boxes(file), .text("xnew-"))
  }
}
