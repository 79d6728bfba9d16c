import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files and folders that cannot be written")
struct ProtectedFileTests {
  /// A protection against writing. Permission bits do not concern the superuser.
  enum Protection: CaseIterable {
    case permissions, mount, attribute

    /// The commands that protect and release a file and its folder.
    private func commands(_ path: String, _ folder: String) -> (set: [String], unset: [String]) {
      switch self {
      case .permissions:
        (["chmod 0400 '\(path)'", "chmod 0500 '\(folder)'"], ["chmod 0700 '\(folder)'"])
      case .mount:
        (
          ["mount --bind '\(folder)' '\(folder)'", "mount -o remount,bind,ro '\(folder)'"],
          ["umount '\(folder)'"]
        )
      case .attribute: (["chattr +i '\(path)'"], ["chattr -i '\(path)'"])
      }
    }

    /// Whether the folder is protected, too.
    var protectsFolder: Bool { self != .attribute }

    private static func run(_ command: String) throws -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", command]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    /// Runs a body while a file is protected.
    /// - Returns: Whether it can be: the process may lack the rights, or the system the protection.
    func protecting(_ path: String, _ body: () throws -> Void) throws -> Bool {
      if self == .permissions, geteuid() == 0 { return false }
      let folder = (path as NSString).deletingLastPathComponent
      let (set, unset) = commands(path, folder)
      var count = 0
      for command in set {
        guard try Self.run(command) else { break }
        count += 1
      }
      if count == set.count { try body() }
      if count > 0 { for command in unset { try expectTrue(Self.run(command)) } }
      return count == set.count
    }

    static let isPossible: Bool = {
      do {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file()))
        return try allCases.contains { try $0.protecting(folder.file()) {} }
      } catch {
        return false
      }
    }()
  }

  /// Returns the error of a body.
  private func failure(_ body: () throws -> Void) throws -> DatabaseFileError? {
    do {
      try body()
      return nil
    } catch let error as DatabaseFileError {
      return error
    }
  }

  @Test(
    "A protected file is read, and refuses to be written with its own error",
    .enabled(
      if: Protection.isPossible, "the superuser can protect files neither by mounts nor attributes"),
    arguments: Protection.allCases, ["WAL", "DELETE"])
  func protected(by protection: Protection, journal: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(DatabaseFileTests.sample())
    try file.close()
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("PRAGMA journal_mode=\(journal)")
    try connection.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try protection.protecting(path) {
      let opening = try failure { _ = try DatabaseFile<Shop>(path: path) }
      expectEqual(opening, .isReadOnly(file: path), "\(opening.map { "\($0)" } ?? "it was opened")")
      let reader = try DatabaseFile<Shop>(path: path, configuration: .init(isReadOnly: true))
      try expectEqual(reader.load(), DatabaseFileTests.sample())
      #expect(throws: DatabaseFileError.isReadOnly(file: path)) { try reader.save(Shop()) }
      try reader.close()
      guard protection.protectsFolder else { return }
      let new = folder.file("new.sqlite")
      let creating = try failure { _ = try DatabaseFile<Shop>(path: new) }
      guard case .cannotOpen(new, _) = creating else {
        Issue.record("\(creating.map { "\($0)" } ?? "it was created")")
        return
      }
    }
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), bytes)
    let again = try DatabaseFile<Shop>(path: path)
    try expectEqual(again.load(), DatabaseFileTests.sample())
    try again.close()
  }

  @Test("A reader of a file that nobody wrote notices that another process begins to write it")
  func writtenElsewhere() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    var file = try DatabaseFile<Shop>(path: path)
    var shop = DatabaseFileTests.sample()
    try file.save(shop)
    try file.close()
    // As it is opened in a folder that cannot be written.
    let readers = try (0..<2).map { _ in try SQLiteConnection(path: path, mode: .immutable) }
    let sessions = readers.map { reader in
      FileSession(path: path, configuration: .init(isReadOnly: true), reader)
    }
    for session in sessions { try expectEqual(session.withTurn { try $0.header() }.count, 20) }
    file = try DatabaseFile<Shop>(path: path)
    _ = try file.load()
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "new", text: "")) }
    try file.save(shop)
    let error = #expect(throws: DatabaseFileError.self) { try sessions[0].withTurn { _ in } }
    expectEqual(
      error?.description,
      """
      \(path) cannot be opened: another process has written it since it was opened in a folder \
      that cannot be written: open it again
      """)
    try file.close()
    // The log has been copied into the file.
    #expect(throws: DatabaseFileError.self) { try sessions[1].withTurn { _ in } }
    for session in sessions { try session.close() }
  }

  @Test(
    "A file that is protected while it is open is saved, or refuses with its own error",
    .enabled(
      if: Protection.isPossible, "the superuser can protect files neither by mounts nor attributes"),
    arguments: Protection.allCases)
  func protectedWhileOpen(by protection: Protection) throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(DatabaseFileTests.sample())
    var shop = try file.load()
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "new", text: "")) }
    var error: DatabaseFileError?
    _ = try protection.protecting(path) { error = try failure { try file.save(shop) } }
    switch error {
    case nil, .isReadOnly, .cannotOpen, .isReplaced: break
    case let error?: Issue.record("\(error)")
    }
    try file.save(shop)
    try file.close()
    let next = try DatabaseFile<Shop>(path: path)
    try expectEqual(next.load(), shop)
    try next.close()
  }
}
