import Entia
import EntiaTestSupport
import Foundation
import Testing

/// Indexes and constraints declared with the macro, as a user does.
@NormalizedStorage
struct Anthology {
  @Table var writers: Tables.Hash<Writer> = .init()
  @Table var essays: Tables.Hash<Essay> = .init()

  @Index var byTitle: Indexes.Sorted<Essay, String> = .init(\.title)
  @Index var byLowercase: Indexes.Sorted<Essay, String> = .init { $0.title.lowercased() }
  @Index var byWriterAndTitle:
    Indexes.Sorted<Essay, SortKeys<Writer.EntityID, Descending<String>>> =
      .init(by: .ascending(\.writerID), .descending(\.title))
  @Index var writerName: Indexes.Unique<Writer, String> = .init(\.name)
  @Index var titles: Indexes.Hash<Essay, String> = .init(\.title, where: { $0.id > 0 })
  @Index var byWriter: Indexes.GroupBy<Essay, Writer.EntityID> = .init(\.writerID)
  @Index var favorites: Indexes.OrderedID<Essay> = .init()
  @Index var unread: Indexes.Set<Essay> = .init()
  @Index var ages: Indexes.Age<Essay> = .init()
  @Index var answers: Indexes.Responses<String, Essay> = .init()

  @Relationship var essayWriter: ToOne<Essay, Writer> = .init(
    \.writerID, onDelete: .cascade
  ).required()

  @Check var title: Checks.Entity<Essay> = .init("a title is there") { !$0.title.isEmpty }
  @Check var size: Checks.Batch<Anthology> = .init("there are at most three essays") {
    $0.after.essays.count <= 3
  }
}

@Suite("Indexes and constraints of a storage by the macro")
struct IndexStorageTests {
  func sample() throws -> Anthology {
    var anthology = Anthology()
    try anthology.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w", name: "Woolf"))
      context.modifying.essays.insert([
        Essay(id: 1, title: "b", writerID: "w"), Essay(id: 2, title: "A", writerID: "w"),
      ])
      context.modifying.favorites.append(1)
      context.modifying.unread.insert(2)
      context.modifying.essays.touch([1], at: .distantPast)
      context.modifying.answers.receive([2, 1], for: "all", at: .distantPast)
    }
    return anthology
  }

  @Test("Every kind of index reads what the rows say")
  func reading() throws {
    let anthology = try sample()
    expectEqual(Array(anthology.byTitle.ids()), [2, 1])
    expectEqual(Array(anthology.byLowercase.ids(in: "b"...)), [1])
    expectEqual(Array(anthology.byWriterAndTitle.ids(startingWith: "w")), [1, 2])
    expectEqual(anthology.writerName.find(by: "Woolf"), "w")
    expectEqual(anthology.titles.ids(for: "b"), [1])
    expectEqual(anthology.byWriter.count(in: "w"), 2)
    expectTrue(anthology.favorites.ids() == [1] && anthology.unread.ids() == [2])
    expectTrue(
      anthology.ages.ids().elementsEqual([1]) && anthology.answers.ids(for: "all") == [2, 1])
    expectEqual(anthology.verify(), [])
  }

  @Test("Constraints refuse together")
  func refusing() throws {
    var anthology = try sample()
    let error = #expect(throws: BatchError.self) {
      try anthology.performBatchUpdates { context in
        context.modifying.writers.insert(Writer(id: "v", name: "Woolf"))
        context.modifying.essays.insert([
          Essay(id: 3, title: "", writerID: "v"), Essay(id: 4, title: "c", writerID: "x"),
        ])
      }
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: writerName: Writer w and Writer v have the same key Woolf; \
      Essay 4: essayWriter requires Writer x, which does not exist; \
      Essay 3: title requires that a title is there; \
      size requires that there are at most three essays
      """)
    expectEqual(anthology, try sample())
  }

  @Test("Rows are written through their IDs, held IDs as the collections that they are")
  func editing() throws {
    var anthology = try sample()
    try anthology.performBatchUpdates { context in
      context.modifying.essays[1]?.title = "z"
      context.modifying.essays[9]?.title = "z"
      context.modifying.favorites.append(contentsOf: [2, 1])
      context.modifying.favorites.removeAll { $0 == 1 }
      context.modifying.unread.formUnion(context.modifying.favorites)
      context.modifying.unread.subtract([1])
    }
    expectTrue(anthology.essays[1]?.title == "z" && anthology.essays.count == 2)
    expectTrue(anthology.favorites.last == 2 && anthology.favorites.firstIndex(of: 1) == nil)
    expectTrue(anthology.unread.isSubset(of: [2]) && Array(anthology.favorites[0...]) == [2])
    expectTrue(Array(anthology.byTitle.ids()) == [2, 1] && anthology.verify() == [])
  }
}

/// Limits on both ends, as in SwiftData's model counts.
@NormalizedStorage
private struct League {
  @Table var writers: Tables.Hash<Writer> = .init()
  @Table var essays: Tables.Hash<Essay> = .init()
  @Relationship var essayWriter: ToOne<Essay, Writer> = .init(
    \.writerID, onDelete: .cascade
  ).holders(.between(1...2))
}

@Suite("Storages where they may be declared")
struct StoragePlaceTests {
  @Test("Limits of holders refuse a batch of a private storage")
  func holderLimits() throws {
    var league = League()
    let error = #expect(throws: BatchError.self) {
      try league.performBatchUpdates { $0.modifying.writers.insert(Writer(id: "w", name: "W")) }
    }
    expectEqual(
      error?.description,
      "the batch was refused: Writer w: referenced by 0 through essayWriter, but must be "
        + "referenced by 1 to 2")
    try league.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w", name: "W"))
      context.modifying.essays.insert(Essay(id: 1, title: "t", writerID: "w"))
    }
    expectEqual(league.verify(), [])
  }

  @Test("A storage inside a function is written by hand")
  func local() {
    struct Local: NormalizedStorageType {
      struct Contents: StorageContents {
        var writers = Tables.Hash<Writer>()

        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("writers", \.writers) }
      }
      var snapshot = Snapshot(Contents())
      var writers: Tables.Hash<Writer> { snapshot.contents.writers }
    }
    var local = Local()
    local.performBatchUpdates { $0.modifying.writers["w"] = Writer(id: "w", name: "W") }
    expectEqual(local.writers["w"]?.name, "W")
  }
}
