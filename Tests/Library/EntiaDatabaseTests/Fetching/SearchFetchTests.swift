import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Fetches that match a text")
struct SearchFetchTests {
  private let archive: Archive

  init() throws {
    archive = try Archive(
      [
        Memo(id: 1, title: "war and peace", stars: 1), Memo(id: 2, title: "peace", stars: 5),
        Memo(id: 3, title: "war", drawerID: 1, stars: 3),
        Memo(id: 4, title: "the war of the worlds", drawerID: 1, stars: 2),
        Memo(id: 5, title: "war", drawerID: 1, stars: 4),
      ], drawers: [MemoBox(id: 0, name: "old"), MemoBox(id: 1, name: "new")])
  }

  private func fetch(
    _ text: String, _ predicate: Predicate<Memo>? = nil, _ sort: [SortDescriptor<Memo>] = [],
    limit: Int? = nil, offset: Int? = nil
  ) -> [Int] {
    var descriptor = FetchDescriptor<Memo>(
      matching: text, in: \Archive.noteText, predicate: predicate, sortBy: sort, fetchLimit: limit)
    descriptor.fetchOffset = offset
    expectEqual(archive.fetchCount(descriptor), archive.fetch(descriptor).count)
    expectEqual(archive.fetch(descriptor), archive.scan(descriptor))
    return archive.fetch(descriptor).map(\.id)
  }

  @Test("The best match is first, or the sort decides; a predicate, a limit and an offset apply")
  func fetches() {
    expectEqual(fetch("war"), archive.found("war"))
    expectEqual(fetch("war"), [3, 5, 1, 4])
    expectEqual(fetch("war", limit: 2), [3, 5])
    expectEqual(fetch("war", limit: 2, offset: 1), [5, 1])
    expectEqual(fetch("war", limit: 0), [])
    expectEqual(fetch("war", #Predicate { $0.stars < 4 }), [3, 1, 4])
    expectEqual(fetch("war", #Predicate { $0.stars < 4 }, limit: 1), [3])
    expectEqual(fetch("war", nil, [SortDescriptor(\.stars)]), [1, 4, 3, 5])
    expectEqual(fetch("war", nil, [SortDescriptor(\.stars, order: .reverse)], limit: 1), [5])
    expectEqual(fetch("war", #Predicate { $0.id == 3 }), [3])
    expectEqual(fetch("", #Predicate { $0.stars > 3 }), [2, 5])
    expectEqual(fetch("  - "), [1, 2, 3, 4, 5])
    expectEqual(fetch("-war"), [2])
    expectEqual(fetch("nothing"), [])
  }

  @Test("explain names the index")
  func explanations() {
    func explain(_ descriptor: FetchDescriptor<Memo>) -> String {
      archive.explain(descriptor).description
    }
    expectEqual(
      explain(FetchDescriptor(matching: "war", in: \Archive.noteText)),
      "Memo: 4 of 5 rows by noteText (\"war\"); in its order, no sort")
    expectEqual(
      explain(FetchDescriptor(matching: "war", in: \Archive.noteText, fetchLimit: 2)),
      "Memo: 2 of 5 rows by noteText (\"war\"); in its order, no sort")
    expectEqual(
      explain(
        FetchDescriptor(
          matching: "war", in: \Archive.Contents.titleText, sortBy: [SortDescriptor(\.stars)])),
      "Memo: 4 of 5 rows by titleText (\"war\"); sorted")
    expectEqual(
      explain(FetchDescriptor(matching: "", in: \Archive.noteText)),
      "Memo: 5 of 5 rows by a scan of the table; in the table's order, no sort")
  }

  @Test("Only the returned rows are read")
  func work() {
    var work = FetchWork()
    let descriptor = FetchDescriptor<Memo>(matching: "war", in: \Archive.noteText, fetchLimit: 2)
    expectEqual(archive.fetch(descriptor, work: &work).count, 2)
    expectEqual(work.rowsExamined, 2)
  }

  @Test("Pages follow each other without overlaps or gaps, also after a row was removed")
  func pages() throws {
    for sort in [[], [SortDescriptor<Memo>(\.stars)]] {
      let descriptor = FetchDescriptor<Memo>(
        matching: "war", in: \Archive.noteText, sortBy: sort, fetchLimit: 1)
      var all = descriptor
      all.fetchLimit = nil
      var found: [Memo] = []
      var page = archive.fetchPage(descriptor)
      found += page.entities
      while let next = page.next {
        page = archive.fetchPage(descriptor, after: next)
        found += page.entities
      }
      expectEqual(found, archive.fetch(all))
    }
    let descriptor = FetchDescriptor<Memo>(
      matching: "war", in: \Archive.noteText, fetchLimit: 2)
    let first = archive.fetchPage(descriptor)
    var changed = archive
    try changed.performBatchUpdates { $0.modifying.notes.remove(5) }
    expectEqual(changed.fetchPage(descriptor, after: first.next).entities.map(\.id), [1, 4])
  }

  @Test("Joins: the notes of drawers whose names match, and the drawers of notes that match")
  func joins() {
    let notes = FetchDescriptor<Memo>()
      .joining(
        \Archive.noteDrawer,
        FetchDescriptor<MemoBox>(matching: "new", in: \Archive.drawerText))
    expectEqual(Set(archive.fetch(notes).map(\.id)), [3, 4, 5])
    let drawers = FetchDescriptor<MemoBox>()
      .joining(
        inverse: \Archive.noteDrawer,
        FetchDescriptor<Memo>(matching: "peace", in: \Archive.noteText))
    expectEqual(archive.fetch(drawers).map(\.id), [0])
    let both = FetchDescriptor<Memo>(matching: "war", in: \Archive.noteText)
      .joining(\Archive.noteDrawer, #Predicate { $0.name == "new" })
    expectEqual(archive.fetch(both).map(\.id), [3, 5, 4])
  }

  @Test("Law 45: a live search is that of a new fetch after every commit")
  func live() throws {
    var random = SeededGenerator(seed: 5)
    let descriptors = [
      FetchDescriptor<Memo>(matching: "war", in: \Archive.noteText, fetchLimit: 2),
      FetchDescriptor<Memo>(matching: "peace w", in: \Archive.noteText),
      FetchDescriptor<Memo>(
        matching: "war", in: \Archive.noteText, predicate: #Predicate { $0.stars > 2 },
        sortBy: [SortDescriptor(\.stars)]),
      FetchDescriptor<Memo>()
        .joining(\Archive.noteDrawer, FetchDescriptor(matching: "new", in: \Archive.drawerText)),
    ]
    var archive = archive
    var live = descriptors.map { LiveFetch($0, in: archive) }
    var counts = descriptors.map { LiveCount<Archive, Memo>($0, in: archive) }
    for _ in 0..<40 {
      let old = archive
      let id = random.number(in: 1..<8)
      let title = ["war", "peace", "war peace", "word"][random.number(in: 0..<4)]
      let stars = random.number(in: 0..<6)
      try archive.performBatchUpdates { context in
        if random.oneIn(4) {
          context.modifying.notes.remove(.init(id))
        } else if random.oneIn(3) {
          context.modifying.drawers.insert(MemoBox(id: id % 2, name: random.oneIn(2) ? "new" : "x"))
        } else {
          context.modifying.notes.insert(
            Memo(id: id, title: title, drawerID: .init(id % 2), stars: stars))
        }
      }
      for index in descriptors.indices {
        var work = LiveWork()
        _ = live[index].advance(
          from: old, to: archive, changes: nil,
          rows: DifferingRows(Archive.self, Memo.self), work: &work)
        expectEqual(live[index].entities, archive.fetch(descriptors[index]))
        _ = counts[index].advance(
          from: old, to: archive, changes: nil,
          rows: DifferingRows(Archive.self, Memo.self), work: &work)
        expectEqual(counts[index].value, archive.fetchCount(descriptors[index]))
      }
    }
    var work = LiveWork()
    let old = archive
    try archive.performBatchUpdates { $0.modifying.drawers.insert(MemoBox(id: 7)) }
    let outcome = live[0].advance(
      from: old, to: archive, changes: nil,
      rows: DifferingRows(Archive.self, Memo.self), work: &work)
    expectEqual(outcome, .same)
    expectEqual(work.fetches, 0)
  }

  @Test("Definitions: the same query of the same index is the same fetch")
  func definitions() {
    func definition(
      _ text: String, _ path: any KeyPath<Archive, Indexes.Text<Memo>> & Sendable
    ) -> AnyHashable? {
      FetchDescriptor<Memo>(matching: text, in: path).definition.map { AnyHashable($0) }
    }
    expectEqual(definition("war", \.noteText), definition("war", \.noteText))
    expectTrue(definition("war", \.noteText) != definition("wa", \.noteText))
    expectTrue(definition("war", \.noteText) != definition("war", \.titleText))
    expectTrue(definition("war", \.noteText) != nil)
  }

  @Test("A text index of another storage is a programmer's error")
  func otherStorage() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let descriptor = FetchDescriptor<Memo>(matching: "a", in: \OtherArchive.noteText)
      _ = Archive().fetch(descriptor)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    expectTrue(
      message.contains(
        "a fetch from Archive has a text index of OtherArchive: name one of this database, "
          + "as in 'in: \\Archive.…'"))
  }
}

/// Another storage with an index of notes.
private struct OtherArchive {
  let noteText = Indexes.Text<Memo>(\.title)
}
