import Entia
import EntiaTestSupport
import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
  @Test("The first example is compiled as written, and does what it says")
  func example() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "ReadmeExample.swift"), encoding: .utf8)
    let readme = try String(
      contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    let block = readme.components(separatedBy: "```swift\n").dropFirst().first?
      .components(separatedBy: "```").first
    expectEqual(block, source)
    try expectEqual(tour(), "Ursula")
  }

  @Test("The store's example does what it says")
  func store() {
    struct AppState: StateType { var library = Library() }
    let store = Store<AppState, Never>(initialState: AppState())
    let label = store.derived(.select(\.library.books.count)).derived(.map { "\($0) books" })
    store.batch(\.library) { $0.books.insert(Book(id: "b1", title: "t", authorID: "a1")) }
    expectEqual(label.value, "1 books")
  }
}
