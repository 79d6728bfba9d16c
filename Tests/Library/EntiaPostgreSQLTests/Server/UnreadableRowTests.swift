import EntiaDatabase
import EntiaLocalServer
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

private enum Old {
  enum Kind: String, Codable, Sendable { case text, image }

  struct Post: EntityType, Identifiable, Codable {
    let id: String
    var title: String
    var kind: Kind = .text
    var boardID: Board.EntityID
  }

  struct Board: EntityType, Identifiable, Codable {
    let id: String
    var name: String
  }

  struct Wall: NormalizedStorageType {
    struct Contents: StorageContents {
      var posts = Tables.Hash<Post>()
      var boards = Tables.Hash<Board>()
      var pins = Tables.Ordered<Pin>()
      var postBoard = ToOne<Post, Board>(\.boardID, onDelete: .cascade)
      var titles = Indexes.Sorted<Post, String>(\.title)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("posts", \.posts)
        visitor.table("boards", \.boards)
        visitor.table("pins", \.pins)
        visitor.relationship("postBoard", \.postBoard)
        visitor.index("titles", \.titles)
      }
    }

    var snapshot = Snapshot(Contents())
    var posts: Tables.Hash<Post> { snapshot.contents.posts }
    var boards: Tables.Hash<Board> { snapshot.contents.boards }
    var pins: Tables.Ordered<Pin> { snapshot.contents.pins }
  }

  struct Pin: EntityType, Identifiable, Codable {
    let id: String
    var kind: Kind = .text
  }
}

/// The same with another case of `Kind`, as the next version of the program has it.
private enum New {
  enum Kind: String, Codable, Sendable { case text, image, video }

  struct Post: EntityType, Identifiable, Codable {
    let id: String
    var title: String
    var kind: Kind = .text
    var boardID: Board.EntityID
  }

  struct Board: EntityType, Identifiable, Codable {
    let id: String
    var name: String
  }

  struct Wall: NormalizedStorageType {
    struct Contents: StorageContents {
      var posts = Tables.Hash<Post>()
      var boards = Tables.Hash<Board>()
      var pins = Tables.Ordered<Pin>()
      var postBoard = ToOne<Post, Board>(\.boardID, onDelete: .cascade)
      var titles = Indexes.Sorted<Post, String>(\.title)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("posts", \.posts)
        visitor.table("boards", \.boards)
        visitor.table("pins", \.pins)
        visitor.relationship("postBoard", \.postBoard)
        visitor.index("titles", \.titles)
      }
    }

    var snapshot = Snapshot(Contents())
    var posts: Tables.Hash<Post> { snapshot.contents.posts }
    var pins: Tables.Ordered<Pin> { snapshot.contents.pins }
  }

  struct Pin: EntityType, Identifiable, Codable {
    let id: String
    var kind: Kind = .text
  }
}

/// `Old` with members of other types.
private enum Changed {
  struct Post: EntityType, Identifiable, Codable {
    let id: String
    var title: String
    var kind: Int = 0
    var stars: Int?
    var boardID: Old.Board.EntityID
  }

  struct Wall: NormalizedStorageType {
    struct Contents: StorageContents {
      var posts = Tables.Hash<Post>()
      var boards = Tables.Hash<Old.Board>()
      var pins = Tables.Ordered<Old.Pin>()
      var postBoard = ToOne<Post, Old.Board>(\.boardID, onDelete: .cascade)
      var titles = Indexes.Sorted<Post, String>(\.title)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("posts", \.posts)
        visitor.table("boards", \.boards)
        visitor.table("pins", \.pins)
        visitor.relationship("postBoard", \.postBoard)
        visitor.index("titles", \.titles)
      }
    }

    var snapshot = Snapshot(Contents())
  }
}

@Suite(
  "Rows that a program cannot read", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)")
)
struct UnreadableRowTests {
  @Test("A row that one program cannot read ends no sharing, and stays as it is")
  func following() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let oldShared = try await server.open(Old.Wall.self, database: database)
    let newShared = try await server.open(New.Wall.self, database: database)
    let old = SharedStore(initialState: SharedState(storage: try await oldShared.load()))
    let new = SharedStore(initialState: SharedState(storage: try await newShared.load()))
    let problems = Mutex<[String]>([])
    let rejections = Mutex<[String]>([])
    old.onProblem { problem in
      problems.withLock { $0.append(problem.description) }
    }.storeWhileSourceActive()
    let oldSharing = try old.share(\.storage, through: oldShared)
    let newSharing = try new.share(\.storage, through: newShared)
    oldSharing.onRejection { _, error in rejections.withLock { $0.append("\(error)") } }

    new.commit {
      $0.storage.performBatchUpdates { context in
        context.modifying.boards.insert([
          New.Board(id: "x", name: "X"), New.Board(id: "y", name: "Y"),
        ])
        context.modifying.posts.insert([
          New.Post(id: "a", title: "A", boardID: "x"),
          New.Post(id: "v", title: "V", kind: .video, boardID: "x"),
        ])
        context.modifying.pins.insert([
          New.Pin(id: "1"), New.Pin(id: "2", kind: .video), New.Pin(id: "3"),
        ])
      }
    }
    try await newSharing.settled()
    try await until { old.state.storage.posts.map(\.id) == ["a"] }
    expectEqual(old.state.storage.pins.map(\.id), ["1", "3"])
    expectEqual(oldSharing.skippedRows.map(\.row), ["\"2\"", "\"v\""])
    expectEqual(oldSharing.skippedRows.map(\.table), ["pins", "posts"])
    expectEqual(oldSharing.skippedRows.map(\.column), ["kind", "kind"])
    try await until { oldSharing.status == .live }
    expectTrue(
      problems.withLock { $0 }.allSatisfy { $0.contains("cannot be read and is left out") })
    expectEqual(problems.withLock { $0.count }, 2)

    // The other rows are shared as before, in both directions.
    old.commit {
      $0.storage.performBatchUpdates { context in
        context.modifying.posts.updateIfExists(id: "a") { $0.title = "A!" }
        context.modifying.posts.insert(Old.Post(id: "b", title: "B", boardID: "y"))
        context.modifying.pins.updateIfExists(id: "3") { $0.kind = .image }
        context.modifying.boards.insert(Old.Board(id: "z", name: "Z"))
      }
    }
    try await oldSharing.settled()
    try await until { new.state.storage.posts.find(by: "b") != nil }
    new.commit {
      $0.storage.performBatchUpdates { context in
        context.modifying.posts.updateIfExists(id: "v") { $0.title = "V!" }
        context.modifying.boards.updateIfExists(id: "z") { $0.name = "Z!" }
      }
    }
    try await newSharing.settled()
    try await until { old.state.storage.boards.find(by: "z")?.name == "Z!" }
    expectEqual(rejections.withLock { $0 }, [])

    // What could overwrite, move or orphan the rows is rejected.
    let edits: [(inout BatchContext<Old.Wall>) -> Void] = [
      { $0.modifying.posts.insert(Old.Post(id: "v", title: "Mine", boardID: "y")) },
      { $0.modifying.boards.remove("y") },
      { $0.modifying.pins.move("1", to: 1) },
      { $0.modifying.pins.append(Old.Pin(id: "4")) },
    ]
    for edit in edits {
      old.commit { $0.storage.performBatchUpdates { edit(&$0) } }
      try await oldSharing.settled()
    }
    let space = "space: row"
    expectEqual(
      rejections.withLock { $0 },
      [
        """
        \(space) v of posts cannot be stored: this program cannot read row "v" of posts, and it \
        has the same ID
        """,
        """
        \(space) y of boards cannot be stored: this program cannot read row "v" of posts, and it \
        may reference the removed row
        """,
        """
        \(space) order of pins cannot be stored: this program cannot read row "2" of pins, and its \
        place among the rows is unknown
        """,
        """
        \(space) order of pins cannot be stored: this program cannot read row "2" of pins, and its \
        place among the rows is unknown
        """,
      ])
    try await until { oldSharing.status == .live }
    let expected = new.state.storage
    try await expectEqual(newShared.load(), expected)
    expectTrue(
      expected.posts.map(\.title).sorted() == ["A!", "B", "V!"]
        && expected.posts.find(by: "v")?.kind == .video
        && expected.pins.map(\.id) == ["1", "2", "3"])

    // Once the rows can be read, they are there.
    new.commit {
      $0.storage.performBatchUpdates { context in
        context.modifying.posts.updateIfExists(id: "v") { $0.kind = .image }
        context.modifying.pins.remove("2")
      }
    }
    try await newSharing.settled()
    try await until { oldSharing.skippedRows.isEmpty }
    try await until { old.state.storage.posts.find(by: "v")?.kind == .image }
    old.commit { $0.storage.performBatchUpdates { $0.modifying.pins.append(Old.Pin(id: "4")) } }
    try await oldSharing.settled()
    try await until { new.state.storage.pins.map(\.id) == ["1", "3", "4"] }
    oldSharing.close()
    newSharing.close()
    await oldShared.close()
    await newShared.close()
  }

  @Test("A load throws for such a row, or leaves it out and lists it")
  func loading() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let new = try await server.open(New.Wall.self, database: database)
    var wall = New.Wall()
    wall.performBatchUpdates {
      $0.modifying.boards.insert(New.Board(id: "x", name: "X"))
      $0.modifying.posts.insert([
        New.Post(id: "a", title: "A", boardID: "x"),
        New.Post(id: "v", title: "V", kind: .video, boardID: "x"),
      ])
    }
    _ = try await new.push(
      wall.changes(since: New.Wall()), client: ClientID(), mutation: 1, base: 0)
    let old = try await server.open(Old.Wall.self, database: database)
    let error = await #expect(throws: SharedDatabaseError.self) { _ = try await old.load() }
    guard case .cannotDecode("space", "posts", "\"v\"", "kind", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let loaded = try await old.load(onBrokenRow: .skip)
    expectEqual(loaded.database.posts.map(\.id), ["a"])
    expectEqual(loaded.skippedRows.map(\.row), ["\"v\""])
    expectEqual(loaded.skippedRows.first?.description.contains("row \"v\" of posts"), true)
    // The rows that it lacks are known to the sharing from its beginning.
    let store = SharedStore(initialState: SharedState(storage: loaded.database))
    let sharing = try store.share(\.storage, through: old)
    expectEqual(sharing.skippedRows, loaded.skippedRows)
    sharing.close()
    await old.close()
    await new.close()
  }

  @Test("A program with a member of another type cannot write, one with more members can")
  func memberTypes() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let old = try await server.open(Old.Wall.self, database: database)
    let changed = try await server.open(Changed.Wall.self, database: database)
    var wall = Old.Wall()
    wall.performBatchUpdates {
      $0.modifying.boards.insert(Old.Board(id: "x", name: "X"))
      $0.modifying.posts.insert(Old.Post(id: "a", title: "A", boardID: "x"))
    }
    _ = try await old.push(
      wall.changes(since: Old.Wall()), client: ClientID(), mutation: 1, base: 0)
    var others = try await changed.load(onBrokenRow: .skip).database
    let before = others
    others.performBatchUpdates { $0.modifying.boards.insert(Old.Board(id: "y", name: "Y")) }
    let outcome = try await changed.push(
      others.changes(since: before), client: ClientID(), mutation: 1, base: 1)
    expectEqual(outcome, .committed(version: 2))
    let next = others
    others.performBatchUpdates {
      $0.modifying.posts.insert(Changed.Post(id: "b", title: "B", boardID: "y"))
    }
    let changes = others.changes(since: next)
    let refusal = SharedDatabaseError.schemaDiffers(
      space: "space",
      reason: """
        the member 'kind' of posts is Kind in the space and Int in this program: give it another \
        name, or raise the schema version in the newer program
        """)
    await #expect(throws: refusal) {
      _ = try await changed.push(changes, client: ClientID(), mutation: 1, base: 2)
    }
    try await expectEqual(old.load().posts.map(\.id), ["a"])
    await old.close()
    await changed.close()
  }
}

/// Waits for a condition that another thread brings about.
private func until(
  _ condition: @Sendable () throws -> Bool, at location: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<12_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("the condition did not come about", sourceLocation: location)
}
