import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSharing

/// A note about an author that may be missing.
private struct Note: EntityType, Identifiable, Codable {
  let id: Int
  var about: Author.EntityID
}

private struct Notes: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var notes = Tables.Hash<Note>()
    var name = Indexes.Unique<Author, String>(\.name)
    var about = ToOne<Note, Author>(\.about, onDelete: .keepDangling)
    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("notes", \.notes)
      visitor.index("name", \.name)
      visitor.relationship("about", \.about)
    }
  }
  var snapshot = Snapshot(Contents())
}

@Suite("Sharing: batches that need a rejected one")
struct DependentBatchTests {
  /// How a batch needs the author "x" and the book "bx" of a batch that is rejected.
  enum Need: CaseIterable {
    case cascade, nullify, nullifyInList, deny, update, chain

    func edit(_ context: inout BatchContext<Library>) {
      switch self {
      case .cascade, .chain:
        context.modifying.books.insert(Book(rawID: "n", title: "Need", authorID: "x"))
      case .nullify:
        context.modifying.authors.insert(Author(id: "y", name: "Y"))
        context.modifying.books.insert(
          Book(rawID: "n", title: "Need", authorID: "y", sequelID: "bx"))
      case .nullifyInList: context.modifying.shelves.insert(Shelf(id: 1, bookIDs: ["bx"]))
      case .deny: context.modifying.loans.insert(Loan(id: 1, bookID: "bx"))
      case .update: context.modifying.books.updateIfExists(id: "bx") { $0.title = "Need" }
      }
    }
  }

  /// Commits a batch that is in conflict with another client, and inserts "x" and "bx".
  private func reject(_ client: ManualClient<Library>) throws {
    try client.store.edit("Cause") {
      $0.modifying.authors.insert([Author(id: "same", name: "mine"), Author(id: "x", name: "X")])
      $0.modifying.books.insert(Book(rawID: "bx", title: "X", authorID: "x"))
    }
  }

  @Test("It is rejected too and reported, whatever the delete rule", arguments: Need.allCases)
  func rules(_ need: Need) async throws {
    let space = MemorySpace<Library>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("same", "theirs")
    try reject(second)
    try second.store.edit("Need") { need.edit(&$0) }
    try second.store.setAuthor("z", "Z")
    if need == .chain {
      try second.store.edit("Chain") { $0.modifying.loans.insert(Loan(id: 1, bookID: "n")) }
    }
    await first.run()
    await second.run()
    await first.poll()
    let chain = need == .chain ? ["Chain"] : []
    expectEqual(second.rejected.map(\.batch.name), ["Cause", "Need"] + chain)
    expectTrue(second.rejected.first?.error is MergeError)
    for rejection in second.rejected.dropFirst() {
      expectTrue(rejection.error is ChangeSetError)
      expectFalse(rejection.batch.changes.isEmpty)
    }
    expectEqual(space.newest.authors.map(\.id).sorted(), ["same", "z"])
    expectEqual(space.log.count, 2)
    for client in [first, second] { expectEqual(client.storage, space.newest) }
    try await second.engine.settled()
  }

  @Test(
    "It is rejected whatever the merge does with conflicts",
    arguments: [MergeChoice.refuse, .mine, .theirs])
  func policies(_ choice: MergeChoice) async throws {
    let edits: [(String, @Sendable (inout BatchContext<Feed>) -> Void)] = [
      ("post", { $0.modifying.posts.insert(Post(id: 1, title: "t", year: 1, authorID: 2)) }),
      ("update", { $0.modifying.users.updateIfExists(id: 2) { $0.email = "other" } }),
      ("move", { $0.modifying.users.move(2, to: 0) }),
      ("list", { $0.modifying.favorites.append(9) }),
      ("set", { $0.modifying.unread.insert(9) }),
    ]
    for (name, edit) in edits {
      let space = MemorySpace<Feed>()
      let first = try ManualClient(space)
      let second = try ManualClient(space, merge: ThreeWayMerge(otherwise: choice))
      try first.store.setUser(1, "same")
      try second.store.setUser(3, "third")
      try second.store.edit("Cause") {
        $0.modifying.users.insert(User(id: 2, email: "same"))
        $0.modifying.posts.insert(Post(id: 9, title: "t", year: 1, authorID: 2))
      }
      try second.store.edit(name) { edit(&$0) }
      await first.run()
      await second.run()
      expectEqual(second.rejected.map(\.batch.name), ["Cause", name])
      expectTrue(second.rejected.last?.error is ChangeSetError)
      expectEqual(space.log.count, 2)
      expectEqual(second.storage, space.newest)
      expectEqual(second.engine.status, .live)
    }
  }

  @Test("The error names the row that is missing")
  func message() async throws {
    let space = MemorySpace<Library>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("same", "theirs")
    try reject(second)
    try second.store.edit("Need") { Need.cascade.edit(&$0) }
    await first.run()
    await second.run()
    expectEqual(
      second.rejected.map { "\($0.error)" }.last,
      """
      the change set cannot be applied: Book n: bookAuthor would reference Author x, which does \
      not exist
      """)
  }

  @Test("It is rejected too if it was committed while the rejection was found")
  func meanwhile() async throws {
    let space = MemorySpace<Library>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("same", "theirs")
    try reject(second)
    await first.run()
    let isDone = Mutex(false)
    second.log.setPlan { [store = second.store] call, isAnswered in
      let isFirst = isDone.withLock { done in
        if done || call != .batches || !isAnswered { return false }
        done = true
        return true
      }
      if isFirst {
        do { try store.edit("Need") { Need.nullify.edit(&$0) } } catch { Issue.record(error) }
      }
      return nil
    }
    await second.poll()
    expectEqual(second.rejected.map(\.batch.name), ["Cause", "Need"])
    expectEqual(second.storage, space.newest)
    // A later batch of the same row is another row.
    second.log.setPlan(nil)
    try second.store.setAuthor("x", "again")
    try second.store.edit("Later") { Need.cascade.edit(&$0) }
    await second.run()
    expectEqual(second.rejected.count, 2)
    expectEqual(space.newest.books.map(\.rawID), ["n"])
    // What another client removes is still removed with its books.
    await first.poll()
    try first.store.edit { _ = $0.modifying.authors.remove("x") }
    try second.store.edit("Book") {
      $0.modifying.books.insert(Book(rawID: "m", title: "m", authorID: "x"))
    }
    await first.run()
    await second.poll()
    expectEqual(second.rejected.count, 2)
    expectTrue(space.newest.books.isEmpty)
    expectEqual(second.storage, space.newest)
  }

  @Test("A batch that the server does not accept takes those that need it with it")
  func refusedByServer() async throws {
    let space = MemorySpace<Library>()
    let client = try ManualClient(space)
    let isRefused = Mutex(true)
    let error = SharedDatabaseError.schemaDiffers(space: "team", reason: "it is newer")
    client.log.setPlan { call, isAnswered in
      guard call == .push, !isAnswered else { return nil }
      return isRefused.withLock { refused in
        defer { refused = false }
        return refused ? .error(error) : nil
      }
    }
    try client.store.setAuthor("x", "X")
    try client.store.edit("Need") { Need.cascade.edit(&$0) }
    try client.store.setAuthor("z", "Z")
    await client.run()
    expectEqual(client.rejected.map(\.batch.name), [nil, "Need"])
    expectEqual(space.newest.authors.map(\.id), ["z"])
    expectEqual(client.storage, space.newest)
  }

  @Test("A batch that only looks as if it needed a rejected one is kept")
  func independent() async throws {
    var library = Library()
    try library.performBatchUpdates {
      $0.modifying.authors.insert(Author(id: "a", name: "Ann"))
      $0.modifying.books.insert(Book(rawID: "b", title: "One", authorID: "a"))
    }
    let space = MemorySpace(library)
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("same", "theirs")
    try second.store.edit("Cause") {
      $0.modifying.authors.insert([
        Author(id: "same", name: "mine"), Author(id: "x", name: "X"), Author(id: "w", name: "W"),
      ])
      $0.modifying.books.updateIfExists(id: "b") { $0.authorID = "x" }
    }
    // The rejected batch changed another member of the row.
    try second.store.edit("Title") {
      $0.modifying.books.updateIfExists(id: "b") { $0.title = "Two" }
    }
    // The other client has the row, too.
    try second.store.edit("Same") {
      $0.modifying.books.insert(Book(rawID: "c", title: "Three", authorID: "same"))
    }
    // The row is gone, as the batch wants it.
    try second.store.edit("Remove") {
      $0.modifying.authors.insert(Author(id: "z", name: "Z"))
      $0.modifying.authors.remove("w")
    }
    await first.run()
    await second.run()
    expectEqual(second.rejected.map(\.batch.name), ["Cause"])
    expectEqual(space.newest.authors.map(\.id).sorted(), ["a", "same", "z"])
    expectEqual(space.newest.books.find(by: "b"), Book(rawID: "b", title: "Two", authorID: "a"))
    expectTrue(space.newest.books.find(by: "c") != nil)
    expectEqual(second.storage, space.newest)
  }

  @Test("A reference that may dangle needs nothing, and a row that is inserted again is there")
  func dangling() async throws {
    let space = MemorySpace<Notes>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    func insert(_ id: String, _ name: String, by client: ManualClient<Notes>) throws {
      try client.store.edit(id) { $0.modifying.authors.insert(Author(id: id, name: name)) }
    }
    try insert("a", "same", by: first)
    try insert("x", "same", by: second)
    try second.store.edit("Note") { $0.modifying.notes.insert(Note(id: 1, about: "x")) }
    try second.store.edit("Remove") { $0.modifying.authors.remove("x") }
    try insert("x", "other", by: second)
    try second.store.edit("Rename") {
      $0.modifying.authors.updateIfExists(id: "x") { $0.name = "another" }
    }
    await first.run()
    await second.run()
    expectEqual(second.rejected.map(\.batch.name), ["x"])
    expectEqual(space.newest.snapshot.contents.notes.map(\.about), ["x"])
    expectEqual(space.newest.snapshot.contents.authors.map(\.name), ["same", "another"])
    expectEqual(second.storage, space.newest)
  }

  @Test("Batches of an outbox are rejected together, too", arguments: [false, true])
  func outbox(isTrimmed: Bool) async throws {
    let folder = try OutboxFolder()
    let space = MemorySpace<Feed>()
    let (first, second) = (
      try ManualClient(space), try ManualClient(space, outbox: folder.url())
    )
    second.log.setPlan { _, _ in .lostCall }
    try second.store.edit("Cause") {
      $0.modifying.users.insert([User(id: 2, email: "same"), User(id: 3, email: "third")])
    }
    try second.store.edit("Post") {
      $0.modifying.posts.insert(Post(id: 1, title: "t", year: 1, authorID: 2))
    }
    try second.store.edit("Move") { $0.modifying.users.move(3, to: 0) }
    try second.store.edit("Favorite") { $0.modifying.favorites.append(1) }
    try second.store.setUser(4, "fourth")
    await second.run()
    try await second.engine.saved()
    try first.store.setUser(1, "same")
    await first.run()
    if isTrimmed { space.trim() }
    let url = try folder.copy()
    second.engine.close()
    let third = try ManualClient(space, outbox: url)
    await third.run()
    expectEqual(third.rejected.map(\.batch.name), ["Cause", "Post", "Move", "Favorite"])
    expectEqual(third.storage, space.newest)
    expectEqual(third.store.email(4), "fourth")
    expectEqual(third.engine.status, .live)
    expectTrue(space.problems.isEmpty)
  }
}
