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
}
