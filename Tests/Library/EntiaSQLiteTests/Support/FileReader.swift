import EntiaDatabase
import EntiaSharing
import Foundation
import Testing

@testable import EntiaSQLite

/// A process that reads a file by its log.
final class FileReader<Storage: NormalizedStorageType> {
  let file: DatabaseFile<Storage>
  let log: FileLog<Storage>
  var version: SharedVersion<Storage>
  /// The number of pushes that started from an older version.
  var overtakenPushes = 0

  static var shared: DatabaseFileConfiguration { .init(durability: .fast, access: .shared) }
  static var readOnly: DatabaseFileConfiguration { .init(isReadOnly: true) }

  init(
    _ path: String, _ configuration: DatabaseFileConfiguration = readOnly,
    onBrokenRow policy: BrokenRowPolicy = .throw
  ) throws {
    file = try DatabaseFile(path: path, configuration: configuration)
    _ = try file.load(onBrokenRow: policy)
    log = FileLog(file, isReadOnly: configuration.isReadOnly)
    version = try #require(log.lastLoaded)
  }

  /// Returns what a new process reads.
  static func contents(_ path: String) throws -> Storage {
    try DatabaseFile(path: path, configuration: readOnly).load()
  }

  /// Runs SQL as `sqlite3` does.
  static func edit(_ path: String, _ sql: String) throws {
    let other = try SQLiteConnection(path: path, mode: .readWrite)
    other.logEnding = .kept
    try other.execute(sql)
    try other.close()
  }

  /// Whether the tables have been loaded since a version.
  func hasLoaded(since former: LogPosition) -> Bool { log.lastLoaded?.position != former }

  func look() async throws { version = try await log.newest(after: version) }

  /// Pushes a batch that starts from the version that is known, or else from the newest one.
  /// - Throws: The error of the change, which is made again on the newest version.
  func push(_ change: (inout Storage) throws -> Void) async throws {
    for _ in 0..<3 {
      let base = version
      var new = base.storage
      try change(&new)
      let client = ClientID()
      let outcome = try await log.push(
        new.changes(since: base.storage), from: base.storage, to: new, client: client,
        mutation: 1, base: base.position)
      if case .committed(let number) = outcome {
        version = SharedVersion(
          storage: new, version: number, origin: BatchOrigin(client: client, mutation: 1))
        return
      }
      overtakenPushes += 1
      try await look()
    }
    Issue.record("the batch is never written")
  }
}
