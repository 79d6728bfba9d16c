import EntiaCollections
import EntiaDatabase
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// An entity whose encoding runs code.
private struct PushedRow: EntityType, Identifiable, Codable {
  /// The code, which runs once; `nil` for none.
  static let onEncode = Mutex<(@Sendable () throws -> Bool)?>(nil)

  let id: String

  func encode(to encoder: any Encoder) throws {
    let body = Self.onEncode.withLock { $0 }
    if let body, try body() { Self.onEncode.withLock { $0 = nil } }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}

private struct PushedRows: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<PushedRow>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("rows", \.rows)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite("Batches that start from an older version of a file", .serialized)
struct FilePushTests {
  private typealias File = DatabaseFile<PushedRows>

  /// Writes a batch that inserts a row into an empty version.
  private static func push(
    _ id: String, into file: File, since base: SharedVersion<PushedRows>
  ) throws -> PushOutcome {
    var new = base.storage
    new.performBatchUpdates { $0.modifying.rows.insert(PushedRow(id: id)) }
    return try file.push(
      new.changes(since: base.storage), from: base.storage, to: new,
      by: BatchOrigin(client: ClientID(), mutation: 1), since: base.position)
  }

  @Test("Nothing is written, also if another process writes while the rows are encoded")
  func behind() throws {
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(access: .shared)
    let file = try File(path: folder.file(), configuration: configuration)
    let other = try File(path: folder.file(), configuration: configuration)
    _ = try file.load()
    _ = try other.load()
    let base = try #require(file.loaded.withLock { $0 })
    try expectEqual(Self.push("a", into: other, since: base), .committed(version: 1))
    try expectEqual(Self.push("b", into: file, since: base), .behind(current: 1))

    _ = try file.load()
    let next = try #require(file.loaded.withLock { $0 })
    let overtake: @Sendable () throws -> Bool = {
      // The save has compared the versions.
      guard file.session.isInUseByThisThread else { return false }
      PushedRow.onEncode.withLock { $0 = nil }
      let outcome = try Self.push("c", into: other, since: next)
      expectEqual(outcome, .committed(version: 2))
      return true
    }
    PushedRow.onEncode.withLock { $0 = overtake }
    try expectEqual(Self.push("d", into: file, since: next), .behind(current: 2))
    try expectEqual(file.load().snapshot.contents.rows.map(\.id).sorted(), ["a", "c"])
  }

  @Test("A batch gets through although another storage in the file changes whenever it is compared")
  func otherStorage() throws {
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(access: .shared)
    let file = try File(path: folder.file(), configuration: configuration)
    let other = try File(
      named: "other", in: File(path: folder.file(), configuration: configuration))
    _ = try file.load()
    let base = try #require(file.loaded.withLock { $0 })
    let count = Mutex(0)
    let isInside = Mutex(false)
    PushedRow.onEncode.withLock {
      $0 = {
        guard file.session.isInUseByThisThread, !isInside.withLock({ $0 }) else { return false }
        isInside.withLock { $0 = true }
        defer { isInside.withLock { $0 = false } }
        do {
          _ = try other.load()
          guard let base = other.loaded.withLock({ $0 }) else { return true }
          _ = try Self.push("\(count.withLock { $0 })", into: other, since: base)
          count.withLock { $0 += 1 }
        } catch {
          // The file is locked for the batch.
        }
        return false
      }
    }
    defer { PushedRow.onEncode.withLock { $0 = nil } }
    try expectEqual(Self.push("a", into: file, since: base), .committed(version: 1))
    expectEqual(count.withLock { $0 }, 1)
    try expectEqual(file.load().snapshot.contents.rows.map(\.id), ["a"])
  }

  @Test("The edits in a file are compared at one version, while other storages in it change")
  func oneVersion() throws {
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(access: .shared)
    let file = try File(path: folder.file(), configuration: configuration)
    let other = try File(
      named: "other", in: File(path: folder.file(), configuration: configuration))
    let base = SharedVersion(storage: try file.load(), version: 0)
    let otherBase = SharedVersion(storage: try other.load(), version: 0)
    var new = base.storage
    new.performBatchUpdates { $0.modifying.rows.insert(PushedRow(id: "a")) }
    var isOvertaken = false
    let outcome = try file.push(
      new.changes(since: base.storage), from: base.storage, to: new,
      by: BatchOrigin(client: ClientID(), mutation: 1), since: base.position
    ) { open in
      let versions = try open.log.versionsInAll()
      if !isOvertaken {
        isOvertaken = true
        try expectEqual(Self.push("b", into: other, since: otherBase), .committed(version: 1))
      }
      try expectEqual(open.log.versionsInAll(), versions)
      return false
    }
    expectEqual(outcome, .committed(version: 1))
    try expectEqual(other.load().snapshot.contents.rows.map(\.id), ["b"])
  }
}
