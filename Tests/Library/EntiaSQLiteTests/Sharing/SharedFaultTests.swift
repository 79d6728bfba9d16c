import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files that are removed, replaced or protected while processes share them")
struct SharedFaultTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }
  private static let readOnly = DatabaseFileConfiguration(isReadOnly: true)

  init() throws { folder = try TemporaryFolder() }

  private func wait(until condition: () throws -> Bool) async throws {
    for _ in 0..<2_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("the condition never holds")
  }

  /// Writes another file, as the copy that a backup restores.
  private func backup() throws -> String {
    let path = folder.file("backup.sqlite")
    let file = try DatabaseFile<Library>(path: path)
    try file.save(Library())
    try file.close()
    return path
  }

  @Test("A log without its file is reported, and neither read nor removed")
  func logWithoutFile() throws {
    let file = try DatabaseFile<Library>(path: path)
    try file.save(Library())
    let log = URL(fileURLWithPath: path + "-wal")
    let bytes = try Data(contentsOf: log)
    #expect(bytes.count > 0)
    try file.close()
    try FileManager.default.removeItem(atPath: path)
    try bytes.write(to: log)
    for configuration in [.init(), .init(access: .shared), Self.readOnly] {
      let error = #expect(throws: DatabaseFileError.self) {
        try DatabaseFile<Library>(path: path, configuration: configuration)
      }
      expectEqual(
        error?.description,
        """
        \(path) is damaged: it is missing, and its log \(path)-wal is there: put the file back, or \
        remove the log to begin anew
        """)
    }
    try expectEqual(Data(contentsOf: log), bytes)
    expectFalse(FileManager.default.fileExists(atPath: path))
    try FileManager.default.removeItem(at: log)
    try expectEqual(DatabaseFile<Library>(path: path).load(), Library())
  }

  @Test(
    "A shared file that is removed or replaced is reported, and what is there is not written",
    arguments: [true, false])
  func replaced(isRemoved: Bool) async throws {
    let client = try SharedFileTests.Client(path)
    try client.store.setAuthor("a", "1")
    try await client.sharing.settled()
    let copy = try backup()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
    if isRemoved {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try #require(rename(copy, path) == 0)
    }
    try client.store.setAuthor("a", "2")
    let error = await #expect(throws: SharedDatabaseError.self) {
      try await client.sharing.settled()
    }
    expectTrue(
      "\(String(describing: error))".contains("has been removed or replaced by another program"),
      "\(String(describing: error))")
    expectEqual(client.store.author("a"), "2")
    try client.file.close()
    if !isRemoved { try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), bytes) }
    try expectTrue(DatabaseFile<Library>(path: path).load().authors.isEmpty)
  }

  @Test("A reader that follows a file notices that it was replaced, and keeps its last version")
  func followed() async throws {
    let file = try DatabaseFile<Library>(path: path)
    var library = Library()
    try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a", name: "1")) }
    try file.save(library)
    let reader = try DatabaseFile<Library>(path: path, configuration: Self.readOnly)
    let store = SharedStore<Library>(initialState: SharedState(storage: try reader.load()))
    let following = try store.follow(\.storage, in: reader)
    try await wait { following.status == .live }
    try #require(rename(backup(), path) == 0)
    try await wait { "\(following.status)".contains("has been removed or replaced") }
    expectEqual(store.state.storage, library)
  }

  @Test("Errors of a followed file have no words of a server, and advice that works")
  func messages() async throws {
    let file = try DatabaseFile<Library>(path: path)
    try file.save(Library())
    let store = SharedStore<Library>(initialState: SharedState(storage: Library()))
    let reader = try DatabaseFile<Library>(
      path: path, configuration: .init(access: .shared, isReadOnly: true))
    _ = try reader.load()
    for file in [file, reader] {
      let error = #expect(throws: SharedDatabaseError.self) {
        try store.share(\.storage, through: file)
      }
      expectEqual(error?.description, "\(path): open the file for writing, with access: .shared")
    }
    let problems = Mutex<[String]>([])
    let subscription = store.onProblem { problem in
      problems.withLock { $0.append("\(problem)") }
    }
    let following = try store.follow(\.storage, in: reader)
    try store.setAuthor("a", "1")
    try await wait { !problems.withLock { $0.isEmpty } }
    expectEqual(
      problems.withLock { $0 },
      [
        """
        a batch of \(path) was rejected and taken back: it is followed, and not shared: to change \
        it, open it with access: .shared, and share it with store.share(_:through:)
        """
      ])
    subscription.cancel()
    following.close()
    // The advice is followed.
    try file.close()
    let shared = try DatabaseFile<Library>(path: path, configuration: .init(access: .shared))
    let other = SharedStore<Library>(initialState: SharedState(storage: try shared.load()))
    let sharing = try other.share(\.storage, through: shared)
    try other.setAuthor("a", "1")
    try await sharing.saved()
    try expectEqual(reader.load().authors.map(\.name), ["1"])
  }

  @Test("A row that cannot be read is left out and listed until it has been corrected")
  func unreadable() async throws {
    let client = try SharedFileTests.Client(path)
    try client.store.setAuthor("a", "1")
    try await client.sharing.settled()
    let problems = Mutex<[String]>([])
    let subscription = client.store.onProblem { problem in
      problems.withLock { $0.append("\(problem)") }
    }
    defer { subscription.cancel() }
    /// Sets the name of the author as another program without its types does.
    func setName(_ name: StoredValue) throws {
      let edit = try UntypedEdit(path)
      try edit.read { _ in }
      let isWritten = try edit.write { file in
        let part = try #require(file.parts().first { $0.name == "authors" })
        let rows = try UntypedRows(part, in: file)
        try expectTrue(rows.update(.text("a"), [(member: try rows.index(of: "name"), value: name)]))
        return [rows]
      }
      expectTrue(isWritten)
    }
    try setName(.null)
    try await wait { client.sharing.skippedRows.map(\.column) == ["name"] }
    try await wait { client.store.author("a") == nil }
    try await wait { client.sharing.status == .live }
    try await wait { !problems.withLock { $0.isEmpty } }
    expectEqual(
      problems.withLock { $0 },
      [
        """
        row "a" of authors in \(path) cannot be read and is left out: column name: it has no value; \
        expected String, found NULL
        """
      ])
    try client.store.setAuthor("b", "2")
    try await client.sharing.settled()
    try setName(.text("corrected"))
    try await wait { client.sharing.skippedRows.isEmpty }
    try await wait { client.store.author("a") == "corrected" }
    let reader = try DatabaseFile<Library>(path: path, configuration: Self.readOnly)
    try expectEqual(reader.load(), client.store.state.storage)
    expectEqual(client.store.author("b"), "2")
  }

  @Test("A folder in which no lock can be written is named")
  func unwritableFolder() throws {
    let file = try DatabaseFile<Library>(path: path)
    try file.save(Library())
    try file.close()
    let name = (path as NSString).deletingLastPathComponent
    guard try protect(name, true) else { return }
    defer { #expect(throws: Never.self) { try protect(name, false) } }
    for access in [DatabaseFileConfiguration.Access.sole, .shared] {
      let error = #expect(throws: DatabaseFileError.self) {
        try DatabaseFile<Library>(path: path, configuration: .init(access: access))
      }
      guard case .cannotOpen(path, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      expectTrue(reason.hasPrefix("its lock \(FileLock.path(of: path)): "), "\(reason)")
    }
    let reader = try DatabaseFile<Library>(path: path, configuration: Self.readOnly)
    try expectEqual(reader.load(), Library())
  }

  /// Protects a folder, and not the files in it, or releases it.
  /// - Returns: Whether the system and the process's rights permit it.
  @discardableResult
  private func protect(_ folder: String, _ isProtected: Bool) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command =
      geteuid() == 0
      ? "chattr \(isProtected ? "+" : "-")i '\(folder)'"
      : "chmod \(isProtected ? "0500" : "0700") '\(folder)'"
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
