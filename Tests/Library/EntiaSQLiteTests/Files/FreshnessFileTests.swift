import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Ages and answers in a file")
struct FreshnessFileTests {
  private typealias Note = EntiaTestDomains.Note
  private typealias Writer = EntiaTestDomains.Writer

  private static func at(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Notes with the IDs, received one second after another, and an answer with them.
  private static func inbox(_ ids: ClosedRange<Int>) throws -> Inbox {
    var inbox = Inbox()
    try inbox.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w"), receivedAt: at(0))
      for id in ids { context.modifying.notes.insert(Note(id: id), receivedAt: at(Double(id))) }
      context.modifying.answers.receive(
        ids.map { .init($0) }, for: .by("w"), next: "more", at: at(7.25))
      context.modifying.answers.receive([2, 1], for: .all, at: at(0.1))
      context.modifying.answers.invalidate { $0 == .all }
    }
    return inbox
  }

  private func expectSame(_ found: Inbox, _ inbox: Inbox, _ place: Comment? = nil) throws {
    try #require(found == inbox && found.verify() == [], place)
    try #require(found.noteAges.ids().map(\.raw) == inbox.noteAges.ids().map(\.raw), place)
    for note in inbox.notes {
      let id = note.entityID
      try #require(found.noteAges.receivedAt(id) == inbox.noteAges.receivedAt(id), place)
    }
    for writer in inbox.writers {
      let id = writer.entityID
      try #require(found.writerAges.receivedAt(id) == inbox.writerAges.receivedAt(id), place)
    }
    try #require(found.answers.requests() == inbox.answers.requests(), place)
    for request in inbox.answers.requests() {
      try #require(found.answers[request] == inbox.answers[request], place)
    }
  }

  @Test("Ages and answers survive a restart, and a save writes those that changed")
  func restart() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Inbox>(path: folder.file())
    func written(_ body: () throws -> Void) throws -> Int {
      let before = try file.withTurn { $0.connection.changedRowsInAll }
      try body()
      return try file.withTurn { $0.connection.changedRowsInAll } - before
    }
    var inbox = try Self.inbox(1...1000)
    try file.save(inbox)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try expectSame(try file.load(), inbox)
    inbox = try file.load()
    let copy = inbox
    try inbox.performBatchUpdates { $0.modifying.notes.touch([3, 4], at: Self.at(2000)) }
    // The fifth row is the version of the file.
    #expect(try written { try file.save(inbox) } <= 4)
    try expectSame(try file.read(), inbox)
    expectEqual(copy.noteAges.receivedAt(3), Self.at(3))
    try inbox.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: 5, text: "new"), receivedAt: Self.at(2001))
      context.modifying.notes.remove(2)
      context.modifying.answers.remove(.by("w"))
    }
    try file.save(inbox)
    try expectEqual(written { try file.save(inbox) }, 0)
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try expectSame(try file.load(), inbox)
    try expectTrue(file.unclaimed.isEmpty)
    try file.expectRowCounts()
  }

  @Test(
    "Law 35: ages and answers too, after every save of a random history",
    arguments: LawRuns(count: 3).seeds)
  func histories(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(durability: .fast)
    var file = try DatabaseFile<Inbox>(path: folder.file(), configuration: configuration)
    var inbox = try file.load()
    var versions = [inbox]
    for step in 0..<60 {
      if random.oneIn(6), let version = versions.randomElement(using: &random) { inbox = version }
      do {
        try inbox.performBatchUpdates { context in
          for _ in 0..<random.number(in: 1..<8) { Self.edit(&context, &random) }
        }
      } catch is BatchError {}
      versions.append(inbox)
      if random.oneIn(2) { continue }
      try file.save(inbox)
      try file.expectRowCounts("seed \(seed), step \(step)")
      try expectSame(try file.read(), inbox, "seed \(seed), step \(step)")
      if random.oneIn(5) {
        try file.close()
        file = try DatabaseFile(path: folder.file(), configuration: configuration)
        inbox = try file.load()
        versions = [inbox]
      }
    }
  }

  private static func edit(
    _ context: inout BatchContext<Inbox>, _ random: inout SeededGenerator
  ) {
    let id = random.number(in: 0..<12)
    let time = at(Double(random.number(in: 0..<40)) / 8)
    let writer = "\(random.number(in: 0..<3))"
    switch random.number(in: 0..<9) {
    case 0, 1, 2:
      context.modifying.writers.insert(Writer(id: writer), receivedAt: time)
      context.modifying.notes.insert(Note(id: id, writerID: .init(writer)), receivedAt: time)
    case 3: context.modifying.notes.touch([.init(id), .init(id + 1)], at: time)
    case 4: context.modifying.notes.remove(.init(id))
    case 5: context.modifying.answers.remove(random.oneIn(2) ? .all : .by(writer))
    case 6: context.modifying.answers.invalidate { $0 == .all }
    default:
      context.modifying.answers.receive(
        (0..<4).map { .init(id + $0) }, for: random.oneIn(2) ? .all : .by(writer),
        after: random.oneIn(2) ? nil : writer, next: random.oneIn(2) ? nil : writer, at: time)
    }
  }

  @Test(
    "Ages of skipped rows, and answers that did not change, have the rows once these can be read",
    arguments: LawRuns(count: 3).seeds)
  func skippedRows(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let configuration = DatabaseFileConfiguration(durability: .fast)
    var file = try DatabaseFile<Inbox>(path: folder.file(), configuration: configuration)
    var former = Inbox()
    try former.performBatchUpdates { context in
      for _ in 0..<60 { Self.edit(&context, &random) }
    }
    try file.save(former)
    let skipped = former.notes.filter { _ in random.oneIn(3) }.map(\.entityID)
    let list = skipped.map { "\($0.raw)" }.joined(separator: ", ")
    try file.withTurn {
      try $0.connection.edit("UPDATE notes SET text=NULL WHERE id IN (\(list))")
    }
    var inbox = try file.load(onBrokenRow: .skip).database
    expectEqual(inbox.notes.count, former.notes.count - skipped.count)
    var unchanged = Set(former.answers.requests())
    for step in 0..<30 {
      var next = inbox
      do {
        try next.performBatchUpdates { context in
          for _ in 0..<random.number(in: 1..<5) { Self.edit(&context, &random) }
        }
        try file.save(next)
        unchanged = unchanged.filter { next.answers[$0] == inbox.answers[$0] }
        if !next.snapshot.isIdentical(to: inbox.snapshot) {
          try file.expectRowCounts("seed \(seed), step \(step)")
        }
        inbox = next
      } catch is BatchError {
      } catch DatabaseFileError.cannotEncode {
        // The ID of a skipped row. Nothing was saved.
      }
      let found = try file.load(.skip, isCompared: false)
      try #require(found.skippedRows.count == skipped.count, "seed \(seed), step \(step)")
      try expectSame(found.database, inbox, "seed \(seed), step \(step)")
      if random.oneIn(5) {
        try file.close()
        let removed = random.number(in: 0..<12)
        try FileReader<Inbox>.edit(
          folder.file(), "DELETE FROM notes WHERE id=\(removed) AND text IS NOT NULL")
        file = try DatabaseFile(path: folder.file(), configuration: configuration)
        let loaded = try file.load(onBrokenRow: .skip).database
        unchanged = unchanged.filter { loaded.answers[$0] == inbox.answers[$0] }
        inbox = loaded
      }
    }
    try file.withTurn {
      try $0.connection.edit("UPDATE notes SET text='' WHERE text IS NULL")
    }
    let repaired = try file.load()
    expectEqual(repaired.verify(), [])
    for id in skipped {
      expectEqual(repaired.noteAges.receivedAt(id), former.noteAges.receivedAt(id), "\(id)")
    }
    for request in unchanged {
      let ids = former.answers.ids(for: request)
      expectEqual(repaired.answers.ids(for: request), ids, "\(request)")
    }
  }

  @Test("Those of removed rows do not remain beside those of skipped rows")
  func removedRows() throws {
    let file = try DatabaseFile<Inbox>.inMemory()
    try file.save(try Self.inbox(1...4))
    try file.withTurn {
      try $0.connection.edit("DELETE FROM notes WHERE id=1; UPDATE notes SET text=NULL WHERE id=2")
    }
    var inbox = try file.load(onBrokenRow: .skip).database
    expectTrue(inbox.answers.ids(for: .by("w")).map(\.raw) == [3, 4] && inbox.noteAges.count == 2)
    try inbox.performBatchUpdates { $0.modifying.notes.insert(Note(id: 1)) }
    try file.save(inbox)
    try expectSame(file.load(.skip, isCompared: false).database, inbox)
    try file.withTurn { try $0.connection.edit("UPDATE notes SET text='' WHERE id=2") }
    let repaired = try file.load()
    expectEqual(repaired.noteAges.receivedAt(2), Self.at(2))
    expectNil(repaired.noteAges.receivedAt(1))
  }

  @Test("A file without ages is read, and the next save adds them")
  func withoutAges() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Inbox>(path: folder.file())
    let inbox = try Self.inbox(1...3)
    try file.save(inbox)
    try file.withTurn { open in
      for part in ["noteAges", "writerAges", "answers"] {
        try open.connection.execute(
          """
          DROP TABLE \(part); DELETE FROM entia_parts WHERE part='\(part)';
          DELETE FROM entia_file WHERE key IN ('freshness', 'rows of \(part)')
          """)
      }
    }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    var found = try file.load()
    expectTrue(found == inbox && found.noteAges.isEmpty && found.answers.isEmpty)
    try found.performBatchUpdates { $0.modifying.notes.touch([2], at: Self.at(9)) }
    try file.save(found)
    try expectSame(try file.read(), found)
  }

  @Test("Ages and answers that cannot be read are left out, and written anew")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Inbox>(path: folder.file())
    try file.save(try Self.inbox(1...3))
    try file.withTurn { open in
      try open.connection.edit(
        """
        UPDATE answers SET entia_id='{"trending":{}}' WHERE pages LIKE '%"more"%';
        UPDATE noteAges SET receivedAt='yesterday' WHERE entia_id=2;
        INSERT INTO noteAges(entia_id, receivedAt, entia_order) VALUES (77, 1.5, 9)
        """)
    }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    var inbox = try file.load()
    expectTrue(inbox.answers.requests() == [.all] && inbox.notes.count == 3)
    expectTrue(inbox.noteAges.ids().map(\.raw) == [1, 3] && inbox.verify() == [])
    try inbox.performBatchUpdates { context in
      context.modifying.notes.touch([2], at: Self.at(5))
      context.modifying.answers.receive([3], for: .by("w"), at: Self.at(6))
    }
    try file.save(inbox)
    try expectSame(try file.read(), inbox)
    try file.expectRowCounts()
    let ids = try file.withTurn { try $0.connection.value("SELECT count(*) FROM noteAges") }
    expectEqual(ids, .integer(3))
  }

  @Test("They are not for other processes: readers and sharing processes have none")
  func otherProcesses() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Inbox>(path: folder.file())
    var inbox = try Self.inbox(1...3)
    try file.save(inbox)
    let reader = try DatabaseFile<Inbox>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    let read = try reader.load()
    expectTrue(read == inbox && read.noteAges.isEmpty && read.answers.isEmpty)
    try reader.close()
    try file.close()
    let shared = try DatabaseFile<Inbox>(path: folder.file(), configuration: .init(access: .shared))
    let found = try shared.load()
    try expectTrue(shared.unclaimed.isEmpty)
    expectTrue(found == inbox && found.noteAges.isEmpty)
    try shared.close()
    file = try DatabaseFile(path: folder.file())
    try expectSame(try file.load(), inbox)
    // A process that only knows the rows removes one.
    try file.withTurn { open in
      try open.connection.execute(
        "DELETE FROM notes WHERE id=2; UPDATE entia_file SET value=2 WHERE key='rows of notes'")
    }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    try inbox.performBatchUpdates { $0.modifying.notes.remove(2) }
    try expectSame(try file.load(), inbox)
    try inbox.performBatchUpdates { $0.modifying.notes.insert(Note(id: 2), receivedAt: Self.at(8)) }
    _ = try file.load()
    try file.save(inbox)
    try expectSame(try file.read(), inbox)
  }

  @Test("Statistics have no ages and answers of rows that other processes have removed")
  func statistics() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Inbox>(path: folder.file())
    try file.save(try Self.inbox(1...6))
    try file.close()
    func counts() throws -> [Int] {
      let (ages, answers) = try CachedFile(reading: folder.file()).statistics()
      return ages.flatMap { [$0.count, $0.rowCount] } + answers.flatMap { [$0.count, $0.ids] }
    }
    try expectEqual(counts(), [6, 6, 1, 1, 2, 8])
    let shared = try DatabaseFile<Inbox>(path: folder.file(), configuration: .init(access: .shared))
    let store = SharedStore(initialState: SharedState(storage: try shared.load()))
    let sharing = try store.share(\.storage, through: shared)
    try store.edit { $0.modifying.notes.remove([2, 5, 6]) }
    try await sharing.settled()
    try expectEqual(counts(), [3, 3, 1, 1, 2, 4])
    let newest = try CachedFile(reading: folder.file()).statistics().ages.first?.newest
    expectEqual(newest, Self.at(4))
    try store.edit { context in
      context.modifying.notes.removeAll()
      context.modifying.writers.removeAll()
    }
    try await sharing.settled()
    try expectEqual(counts(), [0, 0, 0, 0, 2, 0])
    sharing.close()
    try shared.close()
  }

  @Test("A named storage in a file has its own ages, and the tool reads no rows from them")
  func named() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Inbox>(path: folder.file())
    let other = try DatabaseFile<Inbox>(named: "other", in: file)
    let (first, second) = (try Self.inbox(1...3), try Self.inbox(2...9))
    try file.save(first)
    try other.save(second)
    try expectSame(try file.load(), first)
    try expectSame(try other.load(), second)
    try file.close()
    let untyped = try UntypedFile(reading: folder.file())
    try expectEqual(
      untyped.parts().map(\.name), ["notes", "writers", "other_notes", "other_writers"])
    let parts = try untyped.connection.freshnessParts(of: "other")
    expectEqual(parts.map(\.name), ["noteAges", "writerAges", "answers"])
    expectEqual(parts.map(\.rows), ["notes", "writers", "notes"])
    expectEqual(parts.map(\.kind), [.ages, .ages, .answers])
  }
}
