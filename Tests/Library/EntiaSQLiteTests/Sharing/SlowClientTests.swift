import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// An entity with rows that take long to encode.
private struct TimedRow: EntityType, Identifiable, Codable {
  let id: String
  var value = 0

  func encode(to encoder: any Encoder) throws {
    if id == "slow" { usleep(20_000) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(value, forKey: .value)
  }
}

private struct TimedRows: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<TimedRow>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("rows", \.rows)
    }
  }

  var snapshot = Snapshot(Contents())
}

// Other tests may keep the slow one from running for a while, so that only its end counts.
@Suite("A slow process beside one that writes all the time", .prompt, .timeLimit(.minutes(10)))
struct SlowClientTests {
  private typealias File = DatabaseFile<TimedRows>

  /// Writes batches until it is stopped. Its pauses are shorter than the slow process needs.
  private final class Writer: Sendable {
    private let isStopped = Mutex(false)
    private let written = Mutex<Int64>(0)

    /// The number of written batches.
    var count: Int64 { written.withLock { $0 } }

    func stop() { isStopped.withLock { $0 = true } }

    func run(_ file: File) throws {
      let client = ClientID()
      _ = try file.load()
      while !isStopped.withLock({ $0 }) {
        usleep(500)
        guard let base = file.loaded.withLock({ $0 }) else { return }
        let number = count + 1
        var new = base.storage
        new.performBatchUpdates {
          $0.modifying.rows.insert(TimedRow(id: "\(number % 50)", value: Int(number)))
        }
        let origin = BatchOrigin(client: client, mutation: number)
        do {
          let outcome = try file.push(
            new.changes(since: base.storage), from: base.storage, to: new, by: origin,
            since: base.position)
          if case .committed(let version) = outcome {
            written.withLock { $0 = number }
            let next = SharedVersion(storage: new, version: version, origin: origin)
            file.loaded.withLock { $0 = next }
          } else {
            _ = try file.load()
          }
        } catch SharedDatabaseError.unavailable {
          // The slow process is writing.
        }
      }
    }
  }

  @Test("Its batches are written, although the other process changes the file meanwhile")
  func slow() async throws {
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(durability: .fast, access: .shared)
    let fast = try File(path: folder.file(), configuration: configuration)
    let file = try File(path: folder.file(), configuration: configuration)
    let store = SharedStore(initialState: SharedState(storage: try file.load()))
    let sharing = try store.share(\.storage, through: file)
    let writer = Writer()
    defer { writer.stop() }
    let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)
    Thread.detachNewThread {
      do {
        try writer.run(fast)
        end.yield(nil)
      } catch {
        end.yield(error)
      }
      end.finish()
    }
    for id in ["slow", "next", "slow"] {
      let value = Int(writer.count)
      try store.edit { $0.modifying.rows.insert(TimedRow(id: id, value: value)) }
      try await sharing.settled()
    }
    let count = writer.count
    writer.stop()
    for await error in ends { expectNil(error) }
    // The other process went on.
    #expect(count > 0)
    let rows = try fast.load().snapshot.contents.rows
    expectTrue(rows.find(by: "slow") != nil && rows.find(by: "next") != nil)
  }
}
