import EntiaDatabase
import EntiaSystemSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

// The system removes the locks of a process on a file when the process closes any descriptor of it.
@Suite("The locks of SQLite, beside other uses of the file in one process")
struct ProcessLockTests {
  static let shell = "/usr/bin/sqlite3"

  /// Lets another process read a file, and returns what it prints. It removes the log when it is
  /// the last one that has the file open.
  func read(_ path: String, _ sql: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.shell)
    process.arguments = [path, sql]
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test(
    "Whatever is opened and closed beside a writer, its saves stay in the file",
    .enabled(if: FileManager.default.fileExists(atPath: shell), "sqlite3 is missing"),
    arguments: [true, false])
  func otherUses(isEmptyLog: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let file = try DatabaseFile<Shop>(path: path)
    var shop = try file.load()
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "first", text: "")) }
    try file.save(shop)
    let uses: [(String, () throws -> Void)] = [
      ("nothing", {}),
      (
        "a reader",
        {
          let reader = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true))
          _ = try reader.load()
          try reader.close()
        }
      ),
      ("a plan", { _ = try DatabaseFile<Shop>.migrationPlan(path: path, migrations: []) }),
      (
        "a second writer and a sharer",
        {
          // Each waits for a second, so both do at once.
          DispatchQueue.concurrentPerform(iterations: 2) { number in
            let access: DatabaseFileConfiguration.Access = number == 0 ? .sole : .shared
            _ = try? DatabaseFile<Shop>(path: path, configuration: .init(access: access))
          }
        }
      ),
      (
        "an error",
        { _ = DatabaseFileError(SQLiteFailure(code: SQLITE_NOTADB, message: ""), file: path) }
      ),
    ]
    for (number, (name, use)) in uses.enumerated() {
      if isEmptyLog { try file.compact() }
      try use()
      let sql = "SELECT count(*) FROM notes"
      try expectEqual(read(path, sql), "\(number + 1)", "after \(name)")
      shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "\(number)", text: name)) }
      try file.save(shop)
      try expectEqual(read(path, sql), "\(number + 2)", "after \(name)")
    }
  }
}
