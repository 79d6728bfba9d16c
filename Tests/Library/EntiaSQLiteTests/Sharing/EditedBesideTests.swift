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

@Suite("Programs without Entia edit rows beside batches and saves")
struct EditedBesideTests {
  typealias File = DatabaseFile<Library>

  static let shared = Reader.shared
  static let readOnly = Reader.readOnly

  /// Edits of author a, as `sqlite3` makes them.
  static let edits = [
    "UPDATE authors SET name='sq' WHERE id='a'",
    "DELETE FROM authors WHERE id='a'",
    "INSERT INTO authors(id, name) VALUES ('sq', 'sq')",
    "BEGIN; UPDATE authors SET name='1'; UPDATE authors SET name='sq' WHERE id='a'; COMMIT",
    "ALTER TABLE authors ADD COLUMN age; UPDATE authors SET name='sq' WHERE id='a'",
    "DROP TRIGGER entia_edited_update_authors; UPDATE authors SET name='sq' WHERE id='a'",
    "UPDATE authors SET name='sq' WHERE id='a'; VACUUM",
  ]

  typealias Reader = FileReader<Library>

  static func setAuthor(_ id: String, _ name: String) -> (inout Library) throws -> Void {
    { library in
      try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: id, name: name)) }
    }
  }

  static func edit(_ path: String, _ sql: String) throws { try Reader.edit(path, sql) }

  /// Returns what a new process reads.
  static func contents(_ path: String) throws -> Library { try Reader.contents(path) }

  @Test(
    "Sharers and followers see an edit, whatever batch is read with it",
    arguments: EditedBesideTests.edits)
  func sharers(edit: String) async throws {
    for isFirst in [true, false] {
      let folder = try TemporaryFolder()
      let writer = try Reader(folder.file(), Self.shared)
      try await writer.push(Self.setAuthor("a", "A"))
      try await writer.push { library in
        try library.performBatchUpdates { $0.modifying.shelves.insert(Shelf(id: 1, bookIDs: [])) }
      }
      let readers = [
        try Reader(folder.file(), Self.shared), try Reader(folder.file()), writer,
      ]
      for id in ["b", "c"] {
        try await writer.push(Self.setAuthor(id, "1"))
        for reader in readers { try await reader.look() }
      }
      if isFirst { try Self.edit(folder.file(), edit) }
      try await writer.push(Self.setAuthor("b", "2"))
      if !isFirst { try Self.edit(folder.file(), edit) }
      for _ in 0..<2 {
        for reader in readers {
          try await reader.look()
          try expectEqual(reader.version.storage, Self.contents(folder.file()), "\(isFirst)")
        }
        try await writer.push(Self.setAuthor("c", "3"))
      }
    }
  }

  @Test(
    "Followers of a sole writer see an edit, whatever save is read with it",
    arguments: EditedBesideTests.edits)
  func followers(edit: String) async throws {
    for isFirst in [true, false] {
      let folder = try TemporaryFolder()
      let file = try File(path: folder.file())
      var library = Library()
      func save(_ id: String, _ name: String) throws {
        try Self.setAuthor(id, name)(&library)
        try file.save(library)
      }
      try save("a", "A")
      let reader = try Reader(folder.file())
      for id in ["b", "c"] {
        try save(id, "1")
        try await reader.look()
      }
      if isFirst { try Self.edit(folder.file(), edit) }
      try save("b", "2")
      if !isFirst { try Self.edit(folder.file(), edit) }
      for number in 0..<3 {
        try await reader.look()
        try expectEqual(reader.version.storage, Self.contents(folder.file()), "\(isFirst)")
        // Of another table than the edited one.
        try library.performBatchUpdates {
          $0.modifying.shelves.insert(Shelf(id: number, bookIDs: []))
        }
        try file.save(library)
      }
      // Writes the edited table, and restores its rows.
      try save("y", "4")
      try await reader.look()
      try expectEqual(reader.version.storage, Self.contents(folder.file()), "\(isFirst)")
      let loaded = try #require(reader.log.lastLoaded).position
      try save("z", "4")
      try await reader.look()
      expectFalse(reader.hasLoaded(since: loaded), "the sums are those of the rows again")
    }
  }

  @Test("A save that a new writer makes before it notices the follower is seen with the one before")
  func unfollowedSave() async throws {
    let folder = try TemporaryFolder()
    var library = Library()
    func save(_ id: String, _ file: File) throws {
      try Self.setAuthor(id, "A")(&library)
      try file.save(library)
    }
    let first = try File(path: folder.file())
    try save("a", first)
    let reader = try Reader(folder.file())
    for id in ["b", "c"] {
      try save(id, first)
      try await reader.look()
    }
    try save("d", first)
    try first.close()
    let second = try File(path: folder.file())
    _ = try second.load()
    for id in ["e", "f"] {
      try save(id, second)
      if id == "e" { continue }
      try await reader.look()
      expectEqual(reader.version.storage, library)
    }
  }

  @Test("An edit is seen that another storage's batch follows, or that no look has come before")
  func otherStorage() async throws {
    let folder = try TemporaryFolder()
    let writer = try Reader(folder.file(), Self.shared)
    try await writer.push(Self.setAuthor("a", "A"))
    let named = try File(named: "other", in: writer.file)
    func pushOther(_ name: String) throws {
      let former = try named.load()
      var new = former
      try Self.setAuthor("a", name)(&new)
      let outcome = try named.push(
        new.changes(since: former), from: former, to: new,
        by: BatchOrigin(client: ClientID(), mutation: 1),
        since: try #require(named.loaded.withLock { $0 }).position)
      guard case .committed = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
    try pushOther("1")
    let file = try File(path: folder.file(), configuration: Self.readOnly)
    _ = try file.load()
    try Self.edit(folder.file(), "UPDATE authors SET name='early' WHERE id='a'")
    let late = FileLog(file, isReadOnly: true)
    let newest = try await late.newest(after: try #require(late.lastLoaded))
    expectEqual(newest.storage.authors.find(by: "a")?.name, "early")

    let reader = try Reader(folder.file())
    try await writer.push(Self.setAuthor("b", "B"))
    try await reader.look()
    try Self.edit(folder.file(), "UPDATE authors SET name='sq' WHERE id='a'")
    try pushOther("2")
    try await reader.look()
    expectEqual(reader.version.storage.authors.find(by: "a")?.name, "sq")
  }

  @Test(
    "A save without a version is seen, whichever storage's version is read with it",
    arguments: LawRuns(count: 4, steps: 40).seeds)
  func mixedSaves(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    var (library, other) = (Library(), Library())
    let first = try File(path: folder.file())
    try first.save(library)
    if random.oneIn(2) { try File(named: "other", in: first).save(other) }
    try first.close()
    // Before a writer opens the file, so that the follower's own mark is missing.
    let reader = try Reader(folder.file())
    for _ in 0..<8 {
      let sharer = random.oneIn(3) ? try Reader(folder.file(), Self.shared) : nil
      let file = try sharer?.file ?? File(path: folder.file())
      let named = try File(named: "other", in: file)
      library = try file.load()
      other = try named.load()
      var mark: FollowerMark?
      for step in 0..<random.number(in: 1..<5) {
        if random.oneIn(3) {
          mark = mark == nil ? FollowerMark(folder.file()) : nil
          mark?.renew()
        }
        let change = Self.setAuthor("a\(random.number(in: 0..<3))", "\(step)")
        if let sharer {
          try await sharer.push(change)
          library = sharer.version.storage
        } else if random.oneIn(2) {
          try change(&library)
          try file.save(library)
        } else {
          try change(&other)
          try named.save(other)
        }
        if random.oneIn(3) {
          try await reader.look()
          try #require(reader.version.storage == library, "seed \(seed)")
        }
      }
      withExtendedLifetime(mark) {}
      try file.close()
    }
    try await reader.look()
    expectEqual(reader.version.storage, library, "seed \(seed)")
  }

  @Test("The first batches of a process are no edits, whoever has saved the rows before")
  func firstBatches() async throws {
    for isSaved in [true, false] {
      let folder = try TemporaryFolder()
      if isSaved { try File(path: folder.file()).save(Library.sample()) }
      for name in ["1", "2"] {
        let writer = try Reader(folder.file(), Self.shared)
        for id in ["a", "b", "c"] { try await writer.push(Self.setAuthor(id, name)) }
        expectEqual(writer.overtakenPushes, 0, "\(isSaved), \(name)")
      }
    }
  }

  @Test("The first batch of a process is written after the edits since its load are read")
  func firstBatchAfterEdit() async throws {
    let folder = try TemporaryFolder()
    try await Reader(folder.file(), Self.shared).push(Self.setAuthor("a", "A"))
    let writer = try Reader(folder.file(), Self.shared)
    try Self.edit(folder.file(), "UPDATE authors SET name='sq' WHERE id='a'")
    try await writer.push(Self.setAuthor("b", "B"))
    expectEqual(writer.overtakenPushes, 1)
    try expectEqual(writer.version.storage, Self.contents(folder.file()))
    try await writer.look()
    try expectEqual(writer.version.storage, Self.contents(folder.file()))
  }

  @Test("What the triggers of another program change is seen by all, also by the writer")
  func triggers() async throws {
    let folder = try TemporaryFolder()
    let writer = try Reader(folder.file(), Self.shared)
    try await writer.push(Self.setAuthor("a", "A"))
    let readers = [try Reader(folder.file(), Self.shared), try Reader(folder.file()), writer]
    try Self.edit(
      folder.file(),
      """
      CREATE TRIGGER marking AFTER UPDATE ON authors WHEN new.id='b' BEGIN
        UPDATE authors SET name=new.name || '!' WHERE id='a'; END
      """)
    for name in ["1", "2", "3"] {
      try await writer.push(Self.setAuthor("b", name))
      for reader in readers {
        try await reader.look()
        try expectEqual(reader.version.storage, Self.contents(folder.file()))
      }
      expectTrue(name == "1" || writer.version.storage.authors.find(by: "a")?.name == "\(name)!")
    }
  }

  @Test("Without edits, no table is loaded again, whoever writes")
  func work() async throws {
    let folder = try TemporaryFolder()
    let first = try Reader(folder.file(), Self.shared)
    try await first.push(Self.setAuthor("a", "A"))
    let readers = [try Reader(folder.file(), Self.shared), try Reader(folder.file())]
    let loaded = readers.map(\.version.position)
    let other = try File(
      named: "other", in: File(path: folder.file(), configuration: Self.shared))
    for number in 0..<30 {
      try await first.push { library in
        try library.performBatchUpdates { context in
          context.modifying.authors.insert(Author(id: "a\(number % 7)", name: "\(number)"))
          // A new table.
          if number == 9 { context.modifying.shelves.insert(Shelf(id: 1, bookIDs: [])) }
        }
      }
      if number % 5 == 0 {
        let former = try other.load()
        var new = former
        try Self.setAuthor("a", "\(number)")(&new)
        _ = try other.push(
          new.changes(since: former), from: former, to: new,
          by: BatchOrigin(client: ClientID(), mutation: 1),
          since: try #require(other.loaded.withLock { $0 }).position)
      }
      for (index, reader) in readers.enumerated() {
        try await reader.look()
        expectFalse(reader.hasLoaded(since: loaded[index]), "step \(number)")
      }
      try await first.look()
    }
    for reader in readers { expectEqual(reader.version.storage, first.version.storage) }
    // An edit costs two loads: one for itself, and one for the sum that the next batch computes.
    try Self.edit(folder.file(), "UPDATE authors SET name='sq' WHERE id='a'")
    try await readers[1].look()
    try await first.push(Self.setAuthor("z", "1"))
    for _ in 0..<3 { for reader in readers + [first] { try await reader.look() } }
    let positions = readers.compactMap(\.log.lastLoaded?.position)
    for number in 0..<5 {
      try await first.push(Self.setAuthor("z", "\(number)"))
      for (index, reader) in readers.enumerated() {
        try await reader.look()
        expectFalse(reader.hasLoaded(since: positions[index]))
        expectEqual(reader.version.storage.authors.find(by: "a")?.name, "sq")
      }
    }
  }

  @Test(
    "Each look gives what a new process reads, after random edits and batches",
    arguments: LawRuns(count: 4, steps: 40).seeds)
  func history(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let sharers = try (0..<2).map { _ in try Reader(folder.file(), Self.shared) }
    try await sharers[0].push(Self.setAuthor("a0", "A"))
    let readers = sharers + [try Reader(folder.file())]
    for step in 0..<40 {
      let (id, name) = ("a\(random.number(in: 0..<5))", "\(step)")
      switch random.number(in: 0..<6) {
      case 0: try Self.edit(folder.file(), "UPDATE authors SET name='\(name)' WHERE id='\(id)'")
      case 1: try Self.edit(folder.file(), "DELETE FROM authors WHERE id='\(id)'")
      case 2:
        try Self.edit(folder.file(), "INSERT OR REPLACE INTO authors(id, name) VALUES('\(id)', '')")
      default:
        let sharer = sharers[random.number(in: 0..<2)]
        if random.oneIn(2) { try await sharer.look() }
        try await sharer.push(Self.setAuthor(id, name))
      }
      for reader in readers where random.oneIn(3) {
        try await reader.look()
        let contents = try Self.contents(folder.file())
        try #require(reader.version.storage == contents, "seed \(seed), step \(step)")
      }
    }
  }
}
