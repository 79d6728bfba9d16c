import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaSharing
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Held IDs, order and references beside programs without the rules of the database")
struct EditedHeldIDsTests {
  private typealias Reader = FileReader<Feed>
  private typealias File = DatabaseFile<Feed>

  /// An edit by a program without the rules: by `sqlite3`, or by the tool.
  private static func edit(
    _ path: String, _ step: Int, isShared: Bool = false, using random: inout SeededGenerator
  ) throws {
    let (post, user) = (random.number(in: 0..<6), random.number(in: 0..<6))
    switch random.number(in: 0..<9) {
    case 0, 1: try Reader.edit(path, "DELETE FROM posts WHERE id=\(post)")
    case 2 where isShared: try removePost(post, path)
    case 3, 4:
      try Reader.edit(
        path,
        """
        INSERT OR REPLACE INTO posts(id, title, year, rating, length, authorID)
        VALUES (\(post), 'sq', \(step), 0, 0, \(user))
        """)
    case 5: try Reader.edit(path, "DELETE FROM users WHERE id=\(user)")
    case 6:
      try Reader.edit(path, "INSERT OR IGNORE INTO users(id, email) VALUES (\(user), '\(step)')")
    case 7: try Reader.edit(path, "UPDATE users SET entia_order=NULL WHERE id=\(user)")
    default:
      try Reader.edit(
        path,
        random.oneIn(2)
          ? "DELETE FROM favorites WHERE entia_id=\(post)"
          : "INSERT OR IGNORE INTO favorites(entia_id) VALUES (\(post))")
    }
  }

  /// Removes a post as `entia delete` does.
  private static func removePost(_ id: Int, _ path: String) throws {
    let edit = try UntypedEdit(path)
    try edit.read { _ in }
    let isWritten = try edit.write { file in
      let rows = try UntypedRows(try #require(file.parts().first { $0.name == "posts" }), in: file)
      _ = try rows.delete(.integer(Int64(id)))
      return [rows]
    }
    expectTrue(isWritten)
  }

  private static func sample() throws -> Feed {
    var feed = try Feed.sample()
    try feed.performBatchUpdates { context in
      context.modifying.users.insert(User(id: 1, email: "c"))
    }
    return feed
  }

  /// Returns the favorites in the file, whether their posts exist or not.
  private static func storedFavorites(_ path: String) throws -> [Int64] {
    let file = try File(path: path, configuration: Reader.readOnly)
    return try file.withTurn { open in
      let ids = try open.connection.prepare("SELECT entia_id FROM favorites ORDER BY entia_order")
      var found: [Int64] = []
      while try ids.step() { found.append(ids.integer(at: 0)) }
      return found
    }
  }

  private static func insertPost(_ id: Int) -> (inout Feed) throws -> Void {
    { feed in
      try feed.performBatchUpdates {
        $0.modifying.posts.insert(Post(id: id, title: "again", year: 2))
      }
    }
  }

  @Test(
    "An ID whose row another program has removed leaves the file with the next batch",
    arguments: [true, false])
  func removed(byTool: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let sharers = try (0..<2).map { _ in try Reader(path, Reader.shared) }
    let sample = try Self.sample()
    try await sharers[0].push { $0 = sample }
    let readers = sharers + [try Reader(path)]
    for reader in readers { try await reader.look() }
    if byTool {
      try Self.removePost(1, path)
    } else {
      try Reader.edit(path, "DELETE FROM posts WHERE id=1")
    }
    for reader in readers {
      try await reader.look()
      expectEqual(reader.version.storage.favorites.ids(), [3, 2])
    }
    try expectEqual(Self.storedFavorites(path), [3, 1, 2], "no process writes without a batch")
    // Both sharers have left the ID out, and the second one finds it deleted.
    try await sharers[1].push(Self.insertPost(5))
    try expectEqual(Self.storedFavorites(path), [3, 2])
    for sharer in sharers { try await sharer.push(Self.insertPost(6)) }
    for id in [1, 7] {
      try await sharers[0].push(Self.insertPost(id))
      for reader in readers {
        try await reader.look()
        expectEqual(reader.version.storage.favorites.ids(), [3, 2])
        try expectEqual(reader.version.storage, Reader.contents(path))
      }
    }
  }

  /// Returns a process that shares a new file in which the row of the held ID 1 has been removed.
  private static func sharer(ofHeldIDWithoutRow path: String) throws -> Reader {
    let file = try File(path: path)
    try file.save(try sample())
    try file.close()
    try removePost(1, path)
    return try Reader(path, Reader.shared)
  }

  @Test("The batch that inserts the row again deletes its held ID")
  func insertedAgain() async throws {
    let folder = try TemporaryFolder()
    let sharer = try Self.sharer(ofHeldIDWithoutRow: folder.file())
    try await sharer.push(Self.insertPost(1))
    try expectEqual(sharer.version.storage, Reader.contents(folder.file()))
    try expectEqual(Self.storedFavorites(folder.file()), [3, 2])
  }

  @Test("An ID that is held again in the batch that inserts its row is last in the file")
  func heldAgain() async throws {
    let folder = try TemporaryFolder()
    let sharer = try Self.sharer(ofHeldIDWithoutRow: folder.file())
    try await sharer.push { feed in
      try feed.performBatchUpdates { context in
        for id in [1, 5] {
          context.modifying.posts.insert(Post(id: id, title: "again", year: 2))
          context.modifying.favorites.append(Post.EntityID(id))
        }
      }
    }
    expectEqual(sharer.version.storage.favorites.ids(), [3, 2, 1, 5])
    try expectEqual(sharer.version.storage, Reader.contents(folder.file()))
    try expectEqual(Self.storedFavorites(folder.file()), [3, 2, 1, 5])
  }

  @Test("Beside triggers of other programs, too, unless the file has changed since the load")
  func removedBesideTriggers() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let sharer = try Self.sharer(ofHeldIDWithoutRow: path)
    try Reader.edit(path, "CREATE TRIGGER other AFTER INSERT ON posts BEGIN SELECT 1; END")
    try await sharer.look()
    try Reader.edit(path, "UPDATE users SET email='new' WHERE id=1")
    try await sharer.push(Self.insertPost(5))
    try expectEqual(Self.storedFavorites(path), [3, 1, 2])
    try await sharer.look()
    expectEqual(sharer.version.storage.favorites.ids(), [3, 2])
    try await sharer.push(Self.insertPost(6))
    try expectEqual(Self.storedFavorites(path), [3, 2])
    try await sharer.look()
    try await sharer.push(Self.insertPost(1))
    try await sharer.look()
    try expectEqual(sharer.version.storage, Reader.contents(path))
    expectEqual(sharer.version.storage.favorites.ids(), [3, 2])
  }

  @Test("A process that cannot read a row leaves its held ID in the file")
  func skipped() async throws {
    let folder = try TemporaryFolder()
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.items.append(contentsOf: (1...3).map { Item(id: $0, name: "") })
      context.modifying.pins.append(contentsOf: [3, 2, 1])
    }
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(shop)
    try file.close()
    try Reader.edit(
      folder.file(), "UPDATE items SET name=NULL WHERE id=2; DELETE FROM items WHERE id=3")
    let sharer = try FileReader<Shop>(folder.file(), Reader.shared, onBrokenRow: .skip)
    expectEqual(sharer.version.storage.pins.ids(), [1])
    try await sharer.push { shop in
      shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "a", text: "")) }
    }
    try Reader.edit(folder.file(), "UPDATE items SET name='' WHERE id=2")
    try Reader.edit(folder.file(), "INSERT INTO items(id, name) VALUES (3, '')")
    try await sharer.look()
    expectEqual(sharer.version.storage.pins.ids(), [2, 1])
    try expectEqual(FileReader<Shop>.contents(folder.file()).pins.ids(), [2, 1])
  }

  @Test(
    "Law 38: each look gives what a new process reads, after random edits and batches",
    arguments: LawRuns(count: 6, steps: 60).seeds)
  func history(seed: UInt64) async throws {
    try await checkHistory(SharedFeed.self, seed: seed, from: Self.sample()) {
      try Self.edit($0, $1, isShared: true, using: &$2)
    }
  }

  @Test(
    "Law 38: references to rows that another program has removed are the same in every process",
    arguments: LawRuns(count: 3, steps: 60).seeds)
  func references(seed: UInt64) async throws {
    try await checkHistory(SharedLibrary.self, seed: seed, from: Library.sample()) {
      path, step, random in
      let (author, book) = (random.number(in: 0..<6), random.number(in: 0..<6))
      let edits = [
        "DELETE FROM authors WHERE id='a\(author)'",
        "INSERT OR IGNORE INTO authors(id, name) VALUES ('a\(author)', '\(step)')",
        "DELETE FROM books WHERE rawID='b\(book)'",
        "UPDATE books SET authorID='a\(author)', sequelID='b\(book)' WHERE rawID='b1'",
        """
        INSERT OR REPLACE INTO books(rawID, title, authorID)
        VALUES ('b\(book)', '\(step)', 'a\(author)')
        """,
      ]
      try Reader.edit(path, edits[random.number(in: 0..<edits.count)])
    }
  }

  /// Makes random batches and edits, and compares what the processes have with the file.
  private func checkHistory<Subject: SharedSubject>(
    _ subject: Subject.Type, seed: UInt64, from first: Subject.Storage,
    edit: (_ path: String, _ step: Int, _ random: inout SeededGenerator) throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let sharers = try (0..<2).map { _ in
      try FileReader<Subject.Storage>(folder.file(), Reader.shared)
    }
    try await sharers[0].push { $0 = first }
    let readers = sharers + [try FileReader(folder.file())]
    for step in 0..<60 {
      if random.oneIn(4) {
        try edit(folder.file(), step, &random)
      } else {
        let sharer = sharers[random.number(in: 0..<2)]
        if random.oneIn(2) { try await sharer.look() }
        do {
          try await sharer.push { storage in
            try storage.performBatchUpdates { try Subject.edit(&$0, using: &random) }
          }
        } catch is BatchError {
          // The batch breaks a rule.
        }
      }
      for reader in readers where random.oneIn(3) {
        try await reader.look()
        let contents = try FileReader<Subject.Storage>.contents(folder.file())
        try #require(reader.version.storage == contents, "seed \(seed), step \(step)")
      }
    }
  }

  @Test(
    "Law 38: each look of a follower gives what a new process reads, after random edits and saves",
    arguments: LawRuns(count: 6, steps: 60).seeds)
  func savedHistory(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    let file = try File(path: folder.file())
    var feed = try Self.sample()
    try file.save(feed)
    let follower = try Reader(folder.file())
    for step in 0..<60 {
      if random.oneIn(4) {
        try Self.edit(folder.file(), step, using: &random)
      } else {
        do {
          try feed.performBatchUpdates { try SharedFeed.edit(&$0, using: &random) }
        } catch is BatchError {
          // The batch breaks a rule.
        }
        try file.save(feed)
      }
      if random.oneIn(3) {
        try await follower.look()
        let contents = try Reader.contents(folder.file())
        try #require(follower.version.storage == contents, "seed \(seed), step \(step)")
      }
    }
  }
}
