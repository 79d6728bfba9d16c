import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@Suite("Ordered tables in a database")
struct OrderedStorageTests {
  @Test("Laws 2, 3, 5, 8–15, 17 on a storage with ordered tables", arguments: StorageLaw.allCases)
  func laws(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 2 : 0, steps: 25, corpus: Corpus.storages)
    try StorageLaws(RadioSubject.self, runs: runs).check(law)
  }

  @Test("It survives a round trip through JSON in its order")
  func coding() throws {
    let runs = LawRuns(count: 1, steps: 15, corpus: Corpus.storages)
    try StorageLaws(RadioSubject.self, runs: runs).checkCoding()
  }

  @Test("Law 12: the editor of an ordered table reads its own writes and deletes")
  func editors() throws {
    let runs = LawRuns(count: 2, steps: 40, corpus: Corpus.tables)
    let storage = Radio()
    let context = storage.beginBatchUpdates()
    try TableLaws<Tables.Hash<Wish>>.checkReads(
      runs: runs,
      makeTable: {
        var wishes = context.modifying.wishes
        wishes.removeAll()
        return wishes
      }, makeEntity: { Wish(id: $0, songID: Song.EntityID($1.number(in: 0..<3))) })
  }

  @Test("Law 34: an order that is applied wrongly, or that equality overlooks, is noticed")
  func brokenOrders() {
    let runs = LawRuns(count: 2, steps: 15)
    var applying = StorageLaws(RadioSubject.self, runs: runs)
    applying.operations.apply = { radio, changes in
      try radio.apply(changes)
      try radio.performBatchUpdates { $0.modifying.playlist.sort { $0.id < $1.id } }
    }
    #expect(throws: LawViolation.self) { try applying.check(.changesLeadToTheNewVersion) }
    #expect(throws: LawViolation.self) { try applying.check(.changesInvertAndCompose) }
    var equating = StorageLaws(RadioSubject.self, runs: runs)
    equating.operations.isEqual = { a, b in
      a.artists == b.artists
        && a.playlist.sorted { $0.id < $1.id } == b.playlist.sorted { $0.id < $1.id }
        && a.wishes.sorted { $0.id < $1.id } == b.wishes.sorted { $0.id < $1.id }
    }
    #expect(throws: LawViolation.self) { try equating.check(.equalContentIsEqual) }
    var changing = StorageLaws(RadioSubject.self, runs: runs)
    changing.operations.changes = { new, old in
      var sorted = new
      do {
        try sorted.performBatchUpdates { $0.modifying.playlist.sort { $0.id < $1.id } }
      } catch {
        return new.changes(since: old)
      }
      return sorted.changes(since: old)
    }
    #expect(throws: LawViolation.self) { try changing.check(.changesLeadToTheNewVersion) }
  }

  @Test("A batch orders the rows, and its change set has the moves")
  func batches() throws {
    let old = try Radio.sample()
    var radio = old
    try radio.performBatchUpdates { context in
      let moves = [
        context.modifying.playlist.move(1, to: 4), context.modifying.playlist.move(5, before: 2),
        context.modifying.playlist.move(4, after: 5), context.modifying.playlist.swap(2, 3),
        context.modifying.playlist.move(9, to: 0),
      ]
      expectEqual(moves, [true, true, true, true, false])
      expectEqual(context.modifying.playlist.allIDs(), [5, 4, 3, 2, 1])
      expectEqual(context.modifying.playlist.index(of: 3), 2)
      expectEqual(context.modifying.playlist.find(at: 1)?.id, 4)
      expectEqual(context.modifying.playlist.find(at: 0)?.id, 5)
      expectNil(context.modifying.playlist.find(at: 5))
      expectEqual(context.pending.playlist.find(at: 3..<9).map(\.id), [2, 1])
      expectEqual(context.changes.playlist.moved.count, context.changes.count)
    }
    expectTrue(radio.titles == "54321" && radio != old && old.titles == "12345")
    let changes = radio.changes(since: old)
    expectTrue(changes.playlist.moved.count == 4 && changes.artists.isEmpty && !changes.isEmpty)
    expectEqual(changes.summary, "Song: 4 moved")
    var other = old
    try other.apply(changes)
    expectEqual(other, radio)
    try other.apply(changes)
    expectEqual(other, radio)
    try other.apply(changes.inverted)
    expectEqual(other, old)
    expectTrue(changes.composed(with: changes.inverted).isEmpty)
    expectEqual(radio.verify(), [])
  }

  @Test("Positions out of bounds are clamped in a batch, too, and have no row")
  func stalePositions() throws {
    var radio = try Radio.sample()
    try radio.performBatchUpdates { context in
      expectTrue(
        context.modifying.playlist.move(1, to: 5) && context.modifying.playlist.move(3, to: -1))
      expectNil(context.modifying.playlist.remove(at: 5))
      expectNil(context.modifying.playlist.remove(at: -1))
      context.modifying.playlist.insert(Song(id: 6, title: "6", artistID: 2), at: .max)
      context.modifying.playlist.insert(
        [Song(id: 7, title: "7", artistID: 2), Song(id: 8, title: "8", artistID: 2)], at: .min)
    }
    expectTrue(radio.titles == "78324516" && radio.verify() == [])
  }

  @Test("Moving a row and moving it back leaves no change")
  func movedBack() throws {
    let old = try Radio.sample()
    var radio = old
    try radio.performBatchUpdates { context in
      context.modifying.playlist.move(1, to: 4)
      context.modifying.playlist.move(1, to: 0)
      expectTrue(context.changes.isEmpty)
    }
    expectEqual(radio, old)
  }

  @Test("Inserting and removing by position follows relationships and delete rules")
  func rules() throws {
    var radio = try Radio.sample()
    try radio.performBatchUpdates { context in
      let results = context.modifying.playlist.insert(
        [
          Song(id: 6, title: "6", artistID: 2, nextID: 1),
          Song(id: 2, title: "two", artistID: 2),
          Song(id: 7, title: "7", artistID: 2, nextID: 3),
        ], at: 1)
      expectEqual(results.map(\.replaced?.title), [nil, "2", nil])
      expectEqual(context.pending.snapshot.contents.songArtist.holderIDs(of: 2), [4, 6, 2, 7])
    }
    expectEqual(radio.titles, "167two345")
    try radio.performBatchUpdates { context in
      let removed = context.modifying.playlist.remove(at: 0)
      expectEqual(removed?.id, 1)
      expectNil(context.modifying.playlist.find(by: 6)?.nextID)
    }
    expectTrue(radio.titles == "67two345" && radio.verify() == [])
    let before = radio
    try radio.performBatchUpdates { _ = $0.modifying.artists.remove(2) }
    expectEqual(radio.titles, "35")
    expectEqual(radio.changes(since: before).playlist.removed.map(\.id), [6, 7, 2, 4])
    try radio.performBatchUpdates { _ = $0.modifying.wishes.insert(Wish(id: 1, songID: 3), at: 0) }
    let denied = radio
    let error = #expect(throws: BatchError.self) {
      try radio.performBatchUpdates { _ = $0.modifying.playlist.remove(at: 0) }
    }
    expectEqual(
      error?.description,
      "the batch was refused: Song 3 cannot be removed: it is referenced through wishSong "
        + "by Wish 1")
    expectTrue(radio.snapshot.isIdentical(to: denied.snapshot))
    let song = radio.view(of: Song.EntityID(3))
    expectTrue(song?[\.songArtist]?.name == "Ann" && song?[inverse: \.wishSong].map(\.id) == [1])
    expectEqual(radio.views(of: [Song.EntityID(5), 9, 3]).map(\.title), ["5", "3"])
    expectEqual(radio.denormalized(Wish.EntityID(1), depth: 2)?.entityCount, 3)
  }

  @Test("A change set that cannot be applied lists the row; the order is applied to existing rows")
  func applying() throws {
    let old = try Radio.sample()
    var new = old
    try new.performBatchUpdates { context in
      context.modifying.playlist.move(1, to: 4)
      try context.modifying.playlist.updateExists(id: 2) { $0.title = "two" }
    }
    let changes = new.changes(since: old)
    var other = old
    try other.performBatchUpdates { context in
      try context.modifying.playlist.updateExists(id: 2) { $0.title = "deux" }
    }
    let before = other
    let error = #expect(throws: ChangeSetError.self) { try other.apply(changes) }
    expectEqual(
      error?.description,
      "the change set cannot be applied: Song 2 differs from the row that the change set "
        + "starts from")
    expectTrue(other.snapshot.isIdentical(to: before.snapshot))
    var shorter = old
    try shorter.performBatchUpdates { _ = $0.modifying.playlist.remove([3, 4]) }
    try shorter.apply(changes)
    expectTrue(shorter.titles == "two51" && shorter.verify() == [])
    var gone = old
    try gone.performBatchUpdates { _ = $0.modifying.playlist.remove(1) }
    try gone.apply(changes)
    expectTrue(gone.titles == "two345" && gone.verify() == [])
  }

  @Test("Writes through another editor inside a sort closure are kept")
  func sortingWhileWriting() throws {
    var radio = try Radio.sample()
    try radio.performBatchUpdates { context in
      var playlist = context.modifying.playlist
      var other = context.modifying.playlist
      playlist.sort { a, b in
        other.updateIfExists(id: 3) { $0.artistID = 2 }
        other.remove(1)
        return a.id > b.id
      }
      expectEqual(other.allIDs(), [5, 4, 3, 2])
    }
    expectTrue(radio.titles == "5432" && radio.playlist.find(by: 3)?.artistID == 2)
    expectEqual(radio.verify(), [])
  }

  @Test("The editor behaves like those of other tables")
  func editing() throws {
    var radio = try Radio.sample()
    let problems = try radio.performBatchUpdates { context in
      let missing = #expect(throws: TableError.self) {
        try context.modifying.playlist.updateExists(id: 9) { _ in }
      }
      expectEqual(missing?.description, "there is no Song 9")
      let changed = Song(id: 8, title: "?", artistID: 1)
      let kept = context.modifying.playlist.updateIfExists(id: 1) { $0 = changed }
      let updated = context.modifying.playlist.update(
        where: { $0.id > 3 }, { $0.title += "!" })
      let removed = context.modifying.playlist.remove { $0.title == "2" }
      expectTrue(kept == nil && updated.map(\.id) == [4, 5] && removed.map(\.id) == [2])
      expectEqual(context.modifying.playlist.find(in: [3, 9, 1]).map(\.id), [3, 1])
      expectTrue(
        !context.modifying.playlist.isEmpty && context.modifying.playlist[4]?.title == "4!")
      return context.problems
    }
    expectEqual(
      problems.map(\.description),
      ["an update of Song 1 changed its ID to 8; the row was left unchanged"])
    expectTrue(radio.titles == "134!5!" && radio.verify() == [])
  }
}
