public import Entia
import EntiaTestSupport
import Foundation
import Testing

struct Writer: EntityType, Identifiable, Codable {
  let id: String
  var name: String
}

struct Essay: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var writerID: Writer.EntityID
}

/// Declared with the macro, as a user does.
@NormalizedStorage
struct Journal: Codable {
  @Table var writers: Tables.Hash<Writer> = .init()
  @Table var essays: Tables.Hash<Essay> = .init()
  @Relationship var essayWriter: ToOne<Essay, Writer> = .init(\.writerID, onDelete: .cascade)

  var titles: [String] { essays.map(\.title) }
}

/// Tables alone: nothing can refuse a batch.
@NormalizedStorage
struct Names {
  @Table private var writers: Tables.Hash<Writer> = .init()

  var count: Int { writers.count }
}

/// What a library's author would write, for users in other modules.
@NormalizedStorage
public struct PublicStorage {
  /// An entity inside of the storage.
  public struct Note: EntityType, Identifiable {
    /// Which note this is.
    public let id: Int
    /// What it says.
    public var text = ""
  }

  #if os(Linux) || canImport(Darwin)
    /// The notes.
    @Table public var notes: Tables.Hash<Note> = .init()
  #else
    /// The notes, elsewhere.
    @Table public var otherNotes: Tables.Hash<Note> = .init()
  #endif
}

enum Space {
  @NormalizedStorage
  fileprivate struct Generic<Element: EntityType> {
    @Table var elements: Tables.Hash<Element> = .init()
  }
}

/// A refusal of its own, through the typed throws of the hook.
@NormalizedStorage
struct Limited {
  struct Full: Error, Equatable { var count: Int }

  @Table var writers: Tables.Hash<Writer> = .init()

  func finalizeTransaction(_ context: inout BatchContext<Self>) throws(Full) {
    let count = context.modifying.writers.count
    if count > 2 { throw Full(count: count) }
  }
}

/// The default rule denies.
@NormalizedStorage
struct Denying {
  @Table var writers: Tables.Hash<Writer> = .init()
  @Table var essays: Tables.Hash<Essay> = .init()
  @Relationship var essayWriter: ToOne<Essay, Writer> = .init(\.writerID)
}

/// A hook that throws errors of any type, and an initializer of its own.
@NormalizedStorage
struct Hooked {
  @Table var writers: Tables.Hash<Writer> = .init()

  init(names: [String]) {
    self.init()
    var writers = Names()
    writers.performBatchUpdates { context in
      context.modifying.writers.insert(names.map { Writer(id: $0, name: $0) })
    }
    var contents = Contents()
    contents.writers = writers.snapshot.contents.writers
    snapshot = Snapshot(contents)
  }

  func finalizeTransaction(_ context: inout BatchContext<Self>) throws { try context.abort() }
}

enum Outer {
  @NormalizedStorage
  private struct Hidden: NormalizedStorageType {
    @Table var writers: Tables.Hash<Writer> = .init()
  }

  static var count: Int {
    var hidden = Hidden()
    hidden.performBatchUpdates { $0.modifying.writers.insert(Writer(id: "w", name: "Ann")) }
    return hidden.writers.count
  }
}

/// Indexes whose types nobody writes.
@NormalizedStorage
struct Indexed {
  @Table var writers: Tables.Hash<Writer> = .init()
  @Table var essays: Tables.Hash<Essay> = .init()
  @Index var byWriter = Indexes.Sorted(by: \Essay.writerID, .descending(\.id))
  @Index var byTitle = Indexes.Sorted(by: .descending(\Essay.title), .ascending(\.id))
  @Index var sameByWriter: Indexes.Sorted<Essay, _> = .init(by: \.writerID, .descending(\.id))
  @Index var byID = Indexes.Sorted(by: \Essay.id)
  @Index var byAll = Indexes.Sorted(by: \Essay.writerID, \.title, .descending(\.id))
}

/// A table in an order of its own; nothing can refuse a batch here either.
@NormalizedStorage
struct Ranking: Codable {
  @Table var writers: Tables.Ordered<Writer> = .init()
}

@Suite("Storages declared with the macro")
struct MacroStorageTests {
  private func journal() -> Journal {
    var journal = Journal()
    journal.performBatchUpdates { context in
      context.modifying.writers.insert([Writer(id: "w", name: "Ann"), Writer(id: "v", name: "Bob")])
      context.modifying.essays.insert([
        Essay(id: 1, title: "One", writerID: "w"), Essay(id: 2, title: "Two", writerID: "w"),
        Essay(id: 3, title: "Three", writerID: "v"),
      ])
    }
    return journal
  }

  @Test("A declared storage is changed in batches and read through its properties")
  func usage() {
    var journal = journal()
    expectEqual(journal.writers.find(by: "w")?.name, "Ann")
    expectEqual(journal.titles, ["One", "Two", "Three"])
    let before = journal
    journal.performBatchUpdates { context in
      context.modifying.writers.remove("w")
    }
    expectEqual(journal.titles, ["Three"], "the relationship cascades")
    let changes = journal.changes(since: before)
    expectEqual(changes.essays.removed.count, 2)
    expectEqual(changes.writers.removed.count, 1)
    expectEqual(before.titles.count, 3)
    expectTrue(journal != before)
    expectTrue(journal.verify().isEmpty)
  }

  @Test("A table in an order of its own is declared like any other")
  func ordered() throws {
    var ranking = Ranking()
    ranking.performBatchUpdates { context in
      context.modifying.writers.insert(["u", "v", "w"].map { Writer(id: $0, name: "") })
    }
    let before = ranking
    ranking.performBatchUpdates { context in
      context.modifying.writers.move("w", before: "u")
      context.modifying.writers.insert(Writer(id: "x", name: ""), at: 1)
    }
    expectEqual(ranking.writers.allIDs(), ["w", "x", "u", "v"])
    let changes = ranking.changes(since: before)
    expectEqual(changes.writers.moved, [EntityMove(entityID: "w", from: 2, to: 0)])
    expectTrue(changes.writers.inserted.map(\.id) == ["x"] && changes.count == 2)
    var other = before
    try other.apply(changes)
    expectTrue(other == ranking && other != before)
    let decoded = try JSONDecoder().decode(Ranking.self, from: JSONEncoder().encode(ranking))
    expectEqual(decoded, ranking)
  }

  @Test("Relationships are resolved on read, by the paths of the declared properties")
  func views() throws {
    let journal = journal()
    let essay = try #require(journal.view(of: Essay.EntityID(1)))
    expectEqual(essay[\.essayWriter]?.name, "Ann")
    let writer = try #require(essay[\.essayWriter])
    expectEqual(writer[inverse: \.essayWriter].map(\.title), ["One", "Two"])
  }

  @Test("A declared storage is coded by the names of its tables")
  func coding() throws {
    let journal = journal()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(journal)
    expectTrue(String(decoding: data, as: UTF8.self).hasPrefix(#"{"essays":"#))
    let decoded = try JSONDecoder().decode(Journal.self, from: data)
    expectEqual(decoded, journal)
    expectTrue(decoded.verify().isEmpty)
  }

  @Test("Where nothing can refuse, a batch needs no try")
  func refusalNever() {
    var names = Names()
    names.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w", name: "Ann"))
    }
    expectEqual(names.count, 1)
    #expect(Names.Refusal.self == Never.self)
    #expect(Journal.Refusal.self == Never.self, "its relationship cascades")
    #expect(Denying.Refusal.self == (any Error).self)
    #expect(Hooked.Refusal.self == (any Error).self)
  }

  @Test("Where a part or a hook can refuse, a batch throws")
  func refusals() throws {
    var denying = Denying()
    try denying.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w", name: "Ann"))
      context.modifying.essays.insert(Essay(id: 1, title: "One", writerID: "w"))
    }
    #expect(throws: BatchError.self) {
      try denying.performBatchUpdates { $0.modifying.writers.remove("w") }
    }
    expectEqual(denying.writers.count, 1)
    var hooked = Hooked(names: ["Ann"])
    expectEqual(hooked.writers.count, 1)
    #expect(throws: BatchError.aborted) { try hooked.performBatchUpdates { _ in } }
  }

  @Test("A storage private to a type conforms where it is declared")
  func privateStorage() {
    expectEqual(Outer.count, 1)
  }

  @Test("An index's type follows from its fields")
  func inferredIndex() {
    var journal = Indexed()
    journal.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w", name: "Ann"))
      context.modifying.essays.insert([
        Essay(id: 1, title: "One", writerID: "w"), Essay(id: 2, title: "Two", writerID: "w"),
        Essay(id: 3, title: "Three", writerID: "v"),
      ])
    }
    expectEqual(Array(journal.byWriter.ids()), [3, 2, 1])
    expectEqual(Array(journal.byTitle.ids()), [2, 3, 1])
    expectEqual(Array(journal.sameByWriter.ids()), [3, 2, 1])
    expectEqual(Array(journal.byID.ids(in: 2..<5)), [2, 3])
    expectEqual(Array(journal.byAll.ids()), [3, 1, 2])
    expectEqual(
      Indexed.schema.indexes.map(\.fields),
      [
        ["writerID", "-id"], ["-title", "id"], ["writerID", "-id"], ["id"],
        ["writerID", "title", "-id"],
      ])
    expectTrue(journal.verify().isEmpty)
  }

  @Test("A hook of the user's own refuses with its own error")
  func ownRefusal() throws {
    var limited = Limited()
    #expect(Limited.Refusal.self == Limited.Full.self)
    let writers = (1...3).map { Writer(id: "\($0)", name: "") }
    #expect(throws: Limited.Full(count: 3)) {
      try limited.performBatchUpdates { context in
        context.modifying.writers.insert(writers)
      }
    }
    expectTrue(limited.writers.isEmpty)
  }

  @Test("Public, conditional, generic and nested storages are storages")
  func otherShapes() {
    var notes = PublicStorage()
    notes.performBatchUpdates { context in
      context.modifying.notes.insert(PublicStorage.Note(id: 1))
    }
    expectEqual(notes.notes.count, 1)
    var generic = Space.Generic<Writer>()
    generic.performBatchUpdates { context in
      context.modifying.elements.insert(Writer(id: "w", name: "Ann"))
    }
    expectEqual(generic.elements.allIDs(), ["w"])
  }
}
