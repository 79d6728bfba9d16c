import EntiaDatabase
import EntiaTestSupport
import Synchronization
import Testing

/// A raw ID that counts how often it is hashed or compared.
struct CountedRawID: Hashable, Sendable {
  final class Uses: Sendable {
    let count = Atomic(0)
  }

  @TaskLocal static var uses: Uses?

  let number: Int
  /// Not a plain integer, so that Entia hashes and compares it by its own functions.
  let name: String

  /// Returns how often IDs are hashed or compared by a function.
  static func work<Result>(_ body: () throws -> Result) rethrows -> (result: Result, uses: Int) {
    let uses = Uses()
    let result = try $uses.withValue(uses, operation: body)
    return (result, uses.count.load(ordering: .relaxed))
  }

  init(_ number: Int) {
    self.number = number
    name = "\(number)"
  }

  static func == (a: Self, b: Self) -> Bool {
    uses?.count.add(1, ordering: .relaxed)
    return a.number == b.number
  }

  func hash(into hasher: inout Hasher) {
    Self.uses?.count.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}

struct CountedSong: EntityType, Identifiable {
  let id: CountedRawID
  var title = ""
}

private struct CountedPlayer: NormalizedStorageType {
  struct Contents: StorageContents {
    var songs = Tables.Hash<CountedSong>()
    var queue = Indexes.OrderedID<CountedSong>()
    var liked = Indexes.Set<CountedSong>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("songs", \.songs)
      visitor.index("queue", \.queue)
      visitor.index("liked", \.liked)
    }
  }

  var snapshot = Snapshot(Contents())

  init(count: Int) {
    performBatchUpdates { context in
      context.modifying.songs.insert((0..<count).map { CountedSong(id: CountedRawID($0)) })
      for number in 0..<count {
        context.modifying.queue.append(.init(CountedRawID(number)))
        context.modifying.liked.insert(.init(CountedRawID(number)))
      }
    }
  }

  init() { self.init(count: 0) }
}

@Suite("Work on held IDs")
struct HeldIDsWorkTests {
  @Test("Changes of a few held IDs are merged and applied in the work of the changes")
  func few() throws {
    var former: [Int]?
    for count in [2_000, 16_000] {
      let base = CountedPlayer(count: count)
      var (mine, theirs) = (base, base)
      mine.performBatchUpdates { context in
        context.modifying.queue.remove(.init(CountedRawID(1)))
        context.modifying.liked.remove(.init(CountedRawID(1)))
        context.modifying.songs.remove(.init(CountedRawID(2)))
      }
      theirs.performBatchUpdates { context in
        context.modifying.queue.remove(.init(CountedRawID(3)))
        context.modifying.queue.move(.init(CountedRawID(900)), to: 0)
        context.modifying.liked.remove(.init(CountedRawID(3)))
      }
      let changes = theirs.changes(since: base)
      let merged = try CountedRawID.work { try mine.merging(theirs, base: base).storage }
      let applied = try CountedRawID.work {
        var applied = mine
        try applied.apply(changes)
        return applied
      }
      let counted = CountedRawID.work { (changes.count, changes.description) }
      expectEqual(merged.result, applied.result)
      expectEqual(merged.result.snapshot.contents.queue.prefix(3).map(\.raw.number), [900, 0, 4])
      expectEqual(merged.result.snapshot.contents.liked.count, count - 3)
      let uses = [merged.uses, applied.uses, counted.uses]
      // Neighbors in shared pages differ with the number of rows.
      if let former { expectTrue(zip(uses, former).allSatisfy { $0 < 2 * $1 + 500 }, "\(uses)") }
      expectTrue(uses.allSatisfy { $0 < 6_000 }, "\(uses)")
      former = uses
    }
  }
}
