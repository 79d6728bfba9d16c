import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Sharing: local and other batches")
struct SharingTests {
  private let space = MemorySpace<Library>()

  @Test("A commit of one client is seen by the other, and both are live")
  func both() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("a", "Ann")
    expectEqual(first.engine.status, .behind(by: 1))
    await first.run()
    expectEqual(first.engine.status, .live)
    await second.poll()
    expectEqual(second.store.author("a"), "Ann")
    expectEqual(second.engine.status, .live)
    try await first.engine.settled()
    expectEqual(space.log.map(\.mutation), [1])
  }

  @Test(
    "Law 38: after a restore, a client at a number that another batch has now loads the space again"
  )
  func restored() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    for name in ["1", "2", "3"] {
      try first.store.setAuthor(.init(name), name)
      await first.run()
    }
    await second.poll()
    space.restore(to: 1)
    let other = try ManualClient(space)
    try other.store.setAuthor("a", "other")
    try other.store.setAuthor("b", "other")
    await other.run()
    expectEqual(space.current, 3)
    // One client only follows, and the other one pushes.
    try first.store.setAuthor("c", "mine")
    await first.run()
    await second.poll()
    expectEqual(space.current, 4)
    for client in [first, second] {
      expectEqual(client.storage, space.newest)
      expectNil(client.store.author("2"))
      expectEqual(client.engine.status, .live)
    }
  }

  @Test("Edits of different rows, and of different members of one row, are combined")
  func combined() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit {
      $0.modifying.authors.insert(Author(id: "a", name: "Ann"))
      $0.modifying.books.insert(Book(rawID: "b", title: "One", authorID: "a"))
    }
    await first.run()
    await second.poll()
    try first.store.edit { $0.modifying.books.updateIfExists(id: "b") { $0.title = "Two" } }
    try second.store.edit { $0.modifying.books.updateIfExists(id: "b") { $0.sequelID = "b" } }
    try second.store.setAuthor("c", "Cid")
    await first.run()
    await second.run()
    await first.poll()
    let book = Book(rawID: "b", title: "Two", authorID: "a", sequelID: "b")
    for client in [first, second] {
      expectEqual(client.storage.books.find(by: "b"), book)
      expectEqual(client.store.author("c"), "Cid")
      expectTrue(client.rejected.isEmpty)
    }
  }

  @Test("A conflict rejects the later batch by default, or is resolved by the merge")
  func conflicts() async throws {
    for choice in [MergeChoice.refuse, .mine, .theirs] {
      let space = MemorySpace<Library>()
      let first = try ManualClient(space)
      let second = try ManualClient(space, merge: ThreeWayMerge(otherwise: choice))
      try first.store.setAuthor("a", "first")
      try second.store.setAuthor("a", "second")
      await first.run()
      await second.run()
      await first.poll()
      expectEqual(second.storage, first.storage)
      expectEqual(first.store.author("a"), choice == .mine ? "second" : "first")
      expectEqual(second.rejected.count, choice == .refuse ? 1 : 0)
      if choice == .refuse { expectTrue(second.rejected[0].error is MergeError) }
    }
  }

  @Test("Delete rules hold for rows that another client has removed, or refers to")
  func deleteRules() async throws {
    var library = Library()
    try library.performBatchUpdates {
      $0.modifying.authors.insert([Author(id: "a1", name: "Ann"), Author(id: "a2", name: "Bob")])
      $0.modifying.books.insert(Book(rawID: "b1", title: "One", authorID: "a1"))
    }
    let space = MemorySpace(library)
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    // The loan denies the removal of its book.
    try first.store.edit { $0.modifying.loans.insert(Loan(id: 1, bookID: "b1")) }
    try second.store.edit("Remove") { _ = $0.modifying.books.remove("b1") }
    // The author's removal removes the book that the other client adds.
    try first.store.edit { _ = $0.modifying.authors.remove("a2") }
    try second.store.edit {
      $0.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a2"))
    }
    await first.run()
    await second.run()
    await first.poll()
    expectEqual(second.rejected.map(\.batch.name), ["Remove"])
    guard case BatchError.refused(let violations)? = second.rejected.first?.error,
      case .deniedDelete? = violations.first
    else {
      Issue.record("the removal was not denied: \(second.rejected)")
      return
    }
    expectEqual(second.storage, first.storage)
    expectTrue(first.storage.books.find(by: "b1") != nil)
    expectNil(first.storage.books.find(by: "b9"))
    expectTrue(first.storage.verify().isEmpty)
  }

  @Test("A search finds the rows of both clients, also those that were edited at the same time")
  func search() async throws {
    let space = MemorySpace<Feed>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit {
      $0.modifying.users.insert(User(id: 0, email: "a"))
      $0.modifying.posts.insert(Post(id: 1, title: "war", year: 1))
    }
    await first.run()
    await second.poll()
    try second.store.edit { $0.modifying.posts.updateIfExists(id: 1) { $0.title = "peace" } }
    try first.store.edit {
      $0.modifying.posts.updateIfExists(id: 1) { $0.year = 2 }
      $0.modifying.posts.insert(Post(id: 2, title: "war and peace", year: 1))
    }
    await second.run()
    await first.run()
    await second.poll()
    for client in [first, second] {
      let index = client.storage.snapshot.contents.postText
      expectEqual(index.search("peace").map(\.id), [1, 2])
      expectEqual(index.search("war").map(\.id), [2])
      expectEqual(client.storage.verify(), [])
    }
  }

  @Test("Of 16 clients with one unique key, one wins, and the others get the error")
  func uniqueKey() async throws {
    let space = MemorySpace<Feed>()
    let clients = try (0..<16).map { _ in try ManualClient(space) }
    for (index, client) in clients.enumerated() { try client.store.setUser(index, "same") }
    for client in clients.reversed() { await client.run() }
    for client in clients { await client.poll() }
    expectEqual(space.log.count, 1)
    for (index, client) in clients.enumerated() {
      expectEqual(client.storage, space.newest)
      expectEqual(client.rejected.map(\.batch.name), index == 15 ? [] : ["user \(index)"])
      for rejection in client.rejected {
        guard case BatchError.refused(let violations) = rejection.error,
          case .duplicateKey("email", _, let entities)? = violations.first
        else {
          Issue.record("another error: \(rejection.error)")
          continue
        }
        expectEqual(entities.count, 2)
      }
    }
  }

  @Test("A rejected batch is taken back with those that need it, and nothing else is")
  func rejection() async throws {
    let space = MemorySpace<Feed>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setUser(1, "same")
    try second.store.tryCommit("Both") { state in
      state.other = 7
      try state.storage.performBatchUpdates {
        _ = $0.modifying.users.insert(User(id: 2, email: "same"))
      }
    }
    try second.store.setUser(3, "third")
    // Needs the second user.
    try second.store.edit("Update") {
      $0.modifying.users.updateIfExists(id: 2) { $0.email = "other" }
    }
    let seen = Mutex<[String?]>([])
    second.engine.setRejectionHandler { [store = second.store] batch, _ in
      // The batch has been taken back.
      expectNil(store.state.storage.snapshot.contents.users.find(by: 2))
      expectEqual(batch.changes.users.count, 1)
      seen.withLock { $0.append(batch.name) }
    }
    await first.run()
    await second.run()
    expectEqual(seen.withLock { $0 }, ["Both", "Update"])
    expectEqual(second.store.state.other, 7)
    expectNil(second.store.email(2))
    expectEqual(second.store.email(3), "third")
    expectEqual(second.store.email(1), "same")
    expectEqual(space.log.count, 2)
    expectEqual(second.engine.status, .live)
  }

  @Test("Without a handler, a rejection is reported to the store")
  func reportedRejection() async throws {
    let space = MemorySpace<Feed>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    second.engine.setRejectionHandler(nil)
    try first.store.setUser(1, "same")
    try second.store.setUser(2, "same")
    await first.run()
    await second.run()
    expectEqual(second.reported.count, 1)
    expectTrue(
      second.reported[0].hasPrefix(
        "the batch user 2 of team was rejected and taken back: "), "\(second.reported)")
  }

  @Test("A batch that the server does not accept is rejected, and reading continues")
  func refusedByServer() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    let error = SharedDatabaseError.schemaDiffers(space: "team", reason: "it is newer")
    second.log.setPlan { call, isAnswered in
      call == .push && !isAnswered ? .error(error) : nil
    }
    try second.store.setAuthor("b", "Bob")
    try first.store.setAuthor("a", "Ann")
    await first.run()
    await second.run()
    await second.poll()
    expectEqual(second.rejected.map { $0.error as? SharedDatabaseError }, [error])
    expectEqual(second.storage, space.newest)
    expectEqual(second.store.author("a"), "Ann")
    expectEqual(second.engine.status, .live)
  }

  @Test("A local commit is an undo step, a batch of another client is not")
  func undo() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.setAuthor("a", "Ann")
    try second.store.setAuthor("b", "Bob")
    await first.run()
    await second.run()
    await first.poll()
    expectEqual(first.store.undoNames.count, 1)
    expectTrue(first.store.undo())
    expectNil(first.store.author("a"))
    expectEqual(first.store.author("b"), "Bob")
    await first.run()
    // Undoing is a batch of its own.
    expectEqual(space.log.count, 3)
    expectTrue(first.store.redo())
    await first.run()
    await second.poll()
    expectEqual(space.log.count, 4)
    expectEqual(second.store.author("a"), "Ann")
    expectEqual(second.storage, first.storage)
  }

  @Test("A commit that changes other parts, or nothing, is no batch")
  func otherParts() async throws {
    let client = try ManualClient(space)
    client.store.commit { $0.other += 1 }
    try client.store.setAuthor("a", "Ann")
    try client.store.setAuthor("a", "Ann")
    expectEqual(client.engine.recordedNumber, 1)
    await client.run()
    expectEqual(space.log.count, 1)
  }

  @Test("Optimistic layers stay on top, and are shared once they are confirmed")
  func layers() async throws {
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    let layer = try first.store.addLayer("Layer") { state in
      try state.storage.performBatchUpdates {
        _ = $0.modifying.authors.insert(Author(id: "l", name: "Layer"))
      }
    }
    try second.store.setAuthor("a", "Ann")
    await second.run()
    await first.poll()
    expectEqual(first.store.author("a"), "Ann")
    expectEqual(first.store.author("l"), "Layer")
    expectEqual(space.log.count, 1)
    try layer.confirm()
    await first.run()
    await second.poll()
    expectEqual(second.store.author("l"), "Layer")
    expectEqual(second.storage, first.storage)
  }

  @Test("Hooks can neither refuse nor change batches of other clients, but change other parts")
  func hooks() async throws {
    struct Refused: Error {}
    let first = try ManualClient(space)
    let second = try ManualClient(
      space,
      middleware: [
        StoreMiddleware { _, after, _ in
          if after.storage.authors.find(by: "no") != nil { throw Refused() }
          after.other += 1
          try after.storage.performBatchUpdates {
            _ = $0.modifying.authors.insert(Author(id: "hook", name: "\(after.other)"))
          }
        }
      ])
    try second.store.setAuthor("b", "Bob")
    expectEqual(second.store.author("hook"), "1")
    await second.run()
    // The batch of a local commit contains what hooks have changed.
    expectEqual(space.newest.authors.find(by: "hook")?.name, "1")
    await first.poll()
    try first.store.setAuthor("a", "Ann")
    await first.run()
    await second.poll()
    expectEqual(second.store.state.other, 2)
    expectEqual(second.storage, space.newest)
    expectEqual(second.store.author("hook"), "1")
    try first.store.setAuthor("no", "No")
    await first.run()
    await second.poll()
    expectEqual(second.storage, space.newest)
    expectEqual(second.reported.count, 1)
    expectEqual(second.engine.recordedNumber, 1)
  }

  @Test("No lock is held while policies and handlers run")
  func locks() async throws {
    var merge = ThreeWayMerge<Library>()
    let depths = Mutex<[Int]>([])
    merge.resolve(Author.self) { _ in
      let depth = LockDepth.current
      depths.withLock { $0.append(depth) }
      return .refuse
    }
    let (first, second) = (try ManualClient(space), try ManualClient(space, merge: merge))
    second.engine.setRejectionHandler { [store = second.store] _, _ in
      let depth = LockDepth.current
      depths.withLock { $0.append(depth) }
      do { try store.setAuthor("handler", "committed") } catch { Issue.record(error) }
    }
    try first.store.setAuthor("a", "first")
    try second.store.setAuthor("a", "second")
    await first.run()
    await second.run()
    expectEqual(depths.withLock { $0 }, [0, 0])
    expectTrue(space.newest.authors.find(by: "handler") != nil)
  }
}
