import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("A live sharer beside a program without Entia")
struct EditedBesideStoreTests {
  @Test("A batch is written beside edits of its rows, and the store has both")
  func batches() async throws {
    let folder = try TemporaryFolder()
    let client = try SharedFileTests.Client(folder.file())
    for id in ["a", "b"] { try client.store.setAuthor(id, "0") }
    try await client.sharing.settled()
    let rejected = Mutex(0)
    client.sharing.onRejection { _, _ in rejected.withLock { $0 += 1 } }
    for number in 1...10 {
      // The order of the rows that are inserted follows from that of a row which is removed.
      try EditedBesideTests.edit(
        folder.file(),
        """
        DELETE FROM authors WHERE id='n\(number - 1)';
        UPDATE authors SET name='\(number)' WHERE id='a'
        """)
      try client.store.setAuthor("n\(number)", "")
      try client.store.setAuthor("b", "\(number)")
      try await client.sharing.settled()
      let contents = try EditedBesideTests.contents(folder.file())
      expectEqual(contents.authors.find(by: "a")?.name, "\(number)")
      expectEqual(contents.authors.find(by: "b")?.name, "\(number)")
      expectEqual(contents.authors.count, 3)
      for _ in 0..<2_000 where client.store.state.storage != contents {
        try await Task.sleep(for: .milliseconds(5))
      }
      expectEqual(client.store.state.storage, contents)
    }
    expectEqual(rejected.withLock { $0 }, 0)
    expectEqual(client.sharing.status, .live)
  }

  @Test("Held IDs of a row that is removed beside undo are those of the file")
  func undo() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Feed>(
      path: folder.file(), configuration: .init(durability: .fast, access: .shared))
    let store = SharedStore(initialState: SharedState(storage: try file.load()))
    let sharing = try store.share(\.storage, through: file)
    let sample = try Feed.sample()
    store.commit(undo: .none) { $0.storage = sample }
    try store.edit { $0.modifying.favorites.append(4) }
    try await sharing.settled()
    try FileReader<Feed>.edit(folder.file(), "DELETE FROM posts WHERE id IN (1, 4)")
    for _ in 0..<2_000 where store.state.storage.posts.count > 2 {
      try await Task.sleep(for: .milliseconds(5))
    }
    expectEqual(store.state.storage.favorites.ids(), [3, 2])
    func expectContents(_ ids: [Post.EntityID]) async throws {
      try await sharing.settled()
      expectEqual(store.state.storage.favorites.ids(), ids)
      try expectEqual(store.state.storage, FileReader<Feed>.contents(folder.file()))
    }
    store.undo()
    try await expectContents([3, 2])
    try store.edit { $0.modifying.posts.insert([1, 4].map { Post(id: $0, title: "", year: 1) }) }
    try await expectContents([3, 2])
    store.undo()
    try await expectContents([3, 2])
    store.redo()
    try await expectContents([3, 2])
  }
}
