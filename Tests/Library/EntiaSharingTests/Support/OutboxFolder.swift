import EntiaStore
import Foundation

@testable import EntiaSharing

/// A temporary folder with outboxes.
final class OutboxFolder: Sendable {
  private let folder: URL
  private let copies = Mutex(0)
  private let names = Mutex<[Int: String]>([:])

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "entia-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("left \(folder.path()): \(error)")
    }
  }

  /// Returns the outbox of a client.
  func url(of client: Int = 0) -> URL {
    folder.appending(path: names.withLock { $0[client] } ?? "\(client)")
  }

  /// Copies the outbox of a client to its backup.
  func backUp(_ client: Int) throws {
    let backup = folder.appending(path: "backup of \(client)")
    if FileManager.default.fileExists(atPath: backup.path(percentEncoded: false)) {
      try FileManager.default.removeItem(at: backup)
    }
    try FileManager.default.copyItem(at: url(of: client), to: backup)
  }

  /// Copies the backup of a client, if it has one. The copy is the client's outbox from now on.
  func restore(_ client: Int) throws -> URL? {
    let backup = folder.appending(path: "backup of \(client)")
    guard FileManager.default.fileExists(atPath: backup.path(percentEncoded: false)) else {
      return nil
    }
    names.withLock { $0[client] = "\(client)-backup-\(UUID().uuidString)" }
    try FileManager.default.copyItem(at: backup, to: url(of: client))
    return url(of: client)
  }

  /// Copies the outbox of a client as it is at the moment, as a process that is killed leaves it.
  /// The copy is the client's outbox from now on.
  func copy(of client: Int = 0) throws -> URL {
    let old = url(of: client)
    let number = copies.withLock { copies in
      copies += 1
      return copies
    }
    names.withLock { $0[client] = "\(client)-\(number)" }
    try FileManager.default.copyItem(at: old, to: url(of: client))
    return url(of: client)
  }
}
