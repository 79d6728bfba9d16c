import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Synchronization
import Testing

/// An ID that counts how often it is hashed.
private struct CountedID: Hashable, Sendable {
  final class Hashes: Sendable {
    let count = Atomic(0)
  }

  @TaskLocal static var hashes: Hashes?

  let number: Int

  func hash(into hasher: inout Hasher) {
    Self.hashes?.count.add(1, ordering: .relaxed)
    hasher.combine(number)
  }
}

private struct Tune: EntityType, Identifiable {
  let id: CountedID
}

private struct Mix: EntityType, Identifiable {
  let id: Int
  var trackIDs: [Tune.EntityID]
  var hiddenIDs: [Tune.EntityID]?
  var cues: [Cue] = []
}

private struct Cue: Equatable {
  let tuneID: Tune.EntityID
}

private struct Mixes: NormalizedStorageType {
  struct Contents: StorageContents {
    var tracks = Tables.Hash<Tune>()
    var mixes = Tables.Hash<Mix>()
    var mixTracks = ToMany<Mix, Tune>(\.trackIDs, onDelete: .nullify)
    var mixHidden = ToMany<Mix, Tune>(\.hiddenIDs, onDelete: .nullify)
    var mixCues = ToMany<Mix, Tune>(\.cues, id: \.tuneID, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("tracks", \.tracks)
      visitor.table("mixes", \.mixes)
      visitor.relationship("mixTracks", \.mixTracks)
      visitor.relationship("mixHidden", \.mixHidden)
      visitor.relationship("mixCues", \.mixCues)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

@Suite("Upkeep of lists")
struct ListUpkeepTests {
  @Test("Law 22: an edit of a long list hashes only the difference")
  func hashesTheDifference() throws {
    let count = 10_000
    var mixes = Mixes()
    let ids = (0..<count).map { Tune.EntityID(CountedID(number: $0)) }
    try mixes.performBatchUpdates { context in
      context.modifying.mixes.insert(Mix(id: 1, trackIDs: ids))
    }
    func hashes(_ edit: (inout [Tune.EntityID]) -> Void) throws -> Int {
      let hashes = CountedID.Hashes()
      try CountedID.$hashes.withValue(hashes) {
        try mixes.performBatchUpdates { context in
          _ = context.modifying.mixes.updateIfExists(id: 1) { edit(&$0.trackIDs) }
        }
      }
      return hashes.count.load(ordering: .relaxed)
    }
    let new = Tune.EntityID(CountedID(number: count))
    try expectTrue((1...4).contains(hashes { $0.insert(new, at: count / 2) }))
    try expectEqual(hashes { $0.swapAt(count / 2, count / 2 + 1) }, 0)
    try expectTrue((1...4).contains(hashes { $0.remove(at: 0) }))
    try expectTrue((1...8).contains(hashes { $0[7] = ids[0] }))
    try expectEqual(hashes { $0.insert($0[9], at: 3) }, 0)
    expectEqual(mixes.snapshot.contents.mixTracks.holderIDs(of: new), [1])
    expectEqual(mixes.snapshot.contents.mixTracks.holderIDs(of: ids[8]), [])
  }

  @Test("Removals one by one write long lists without hashing them")
  func removals() throws {
    let count = 2_000
    let ids = (0..<count).map { Tune.EntityID(CountedID(number: $0)) }
    for shape in 0..<3 {
      var mixes = Mixes()
      try mixes.performBatchUpdates { context in
        context.modifying.tracks.insert(ids.map { Tune(id: $0.raw) })
        var mix = Mix(id: 1, trackIDs: shape == 0 ? ids : [])
        if shape == 1 { mix.hiddenIDs = ids }
        if shape == 2 { mix.cues = ids.map { Cue(tuneID: $0) } }
        context.modifying.mixes.insert(mix)
      }
      let hashes = CountedID.Hashes()
      try CountedID.$hashes.withValue(hashes) {
        try mixes.performBatchUpdates { context in
          for id in ids.prefix(100) { context.modifying.tracks.remove(id) }
        }
      }
      #expect(hashes.count.load(ordering: .relaxed) < 20 * 100, "\(shape)")
      let mix = try #require(mixes.snapshot.contents.mixes.find(by: 1))
      expectEqual(mix.trackIDs + (mix.hiddenIDs ?? []) + mix.cues.map(\.tuneID), Array(ids[100...]))
      expectEqual(mixes.verify(), [])
    }
  }

  @Test("Law 14: the links of random lists with repeats are those of the rows")
  func randomLists() throws {
    for seed in LawRuns(count: 10, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var mixes = Mixes()
      for step in 0..<30 {
        try mixes.performBatchUpdates { context in
          let length = random.number(in: 0..<14)
          let ids = (0..<length).map { _ in
            Tune.EntityID(CountedID(number: random.number(in: 0..<6)))
          }
          context.modifying.mixes.insert(Mix(id: random.number(in: 0..<2), trackIDs: ids))
        }
        let defects = mixes.verify().filter {
          if case .danglingReference = $0 { false } else { true }
        }
        expectEqual(defects, [], "seed \(seed), step \(step)")
      }
    }
  }
}
