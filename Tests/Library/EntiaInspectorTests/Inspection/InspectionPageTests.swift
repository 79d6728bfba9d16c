import Dispatch
import EntiaDatabase
import EntiaInspector
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("The page of an inspected store")
struct InspectionPageTests {
  private func metadata(_ page: String) throws -> [String: Any] {
    let start = try #require(page.range(of: " id=\"meta\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let data = Data(page[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("The page has the rows, the commits, the observers and the queries of the store")
  func content() throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect(clock: StepClock())
    let query = store.query(FetchDescriptor<Book>(), in: \.library)
    let subscription = query.sinkState(queue: .passthrough) { _ in }
    try store.commit("Add") { state in
      try state.library.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a3", name: "Cid"))
        context.modifying.books.remove("b3")
      }
    }
    let page = String(decoding: inspection.page(), as: UTF8.self)
    expectTrue(page.contains(#"["a3",{"name":"Cid"}]"#))
    let metadata = try metadata(page)
    expectEqual(metadata["name"] as? String, "AppState")
    expectEqual(metadata["rules"] as? String, "storage")
    let shown = try #require(metadata["store"] as? [String: Any])
    let commits = try #require(shown["commits"] as? [[String: Any]])
    expectEqual(commits.map { $0["name"] as? String }, ["Add"])
    expectEqual(commits.map { $0["duration"] as? String }, ["1 ms"])
    let parts = try #require(commits[0]["parts"] as? [[String: Any]])
    expectEqual(parts.map { $0["name"] as? String }, ["library (3 rows)"])
    let lines = try #require(parts[0]["lines"] as? [String])
    expectEqual(lines.count, 3)
    expectEqual(lines[0], #"+ Author(id: "a3", name: "Cid")"#)
    expectTrue(lines[1].hasPrefix("- Book("))
    expectTrue(lines[2].hasPrefix("~ Shelf 1: "))
    let members = try #require(shown["members"] as? [[String: Any]])
    expectEqual(members.map { $0["name"] as? String }, ["searchText", "count"])
    // The same store has the same page.
    expectEqual(inspection.page(), Array(page.utf8))
    subscription.cancel()
  }

  @Test("A large commit is listed with its first rows")
  func largeCommit() throws {
    let store = AppStore(initialState: AppState())
    let inspection = store.inspect(clock: StepClock())
    try store.commit { state in
      try state.library.performBatchUpdates { context in
        context.modifying.authors.insert((0..<500).map { Author(id: "a\($0)", name: "") })
      }
    }
    let shown = try #require(
      try metadata(String(decoding: inspection.page(), as: UTF8.self))["store"] as? [String: Any])
    let commits = try #require(shown["commits"] as? [[String: Any]])
    let parts = try #require(commits[0]["parts"] as? [[String: Any]])
    expectEqual((parts[0]["lines"] as? [String])?.count, 200)
    expectEqual(parts[0]["more"] as? Int, 300)
  }

  @Test("A page that cannot be written is an error, and the file stays")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let inspection = AppStore(initialState: AppState()).inspect()
    let file = URL(filePath: folder.file("nowhere/page.html"))
    #expect(throws: (any Error).self) { try inspection.writePage(to: file) }
    let page = URL(filePath: folder.file("page.html"))
    try inspection.writePage(to: page)
    try expectEqual(Data(contentsOf: page), Data(inspection.page()))
  }
}

/// The pages of inspections in a browser, if there is one.
@Suite("Pages of inspected stores in Chromium", .enabled(if: Chromium.isWanted), .serialized)
struct InspectionBrowserTests {
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ inspection: StoreInspection, width: Int = 1400) throws -> String {
    let path = folder.file("page.html")
    try inspection.writePage(to: URL(filePath: path))
    return try Chromium.check(path, in: URL(filePath: folder.path), width: width)
  }

  @Test(
    "The page of a store passes its own checks, in wide and narrow windows", arguments: [1400, 420])
  func sample(width: Int) throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect()
    let subscription = store.sinkState(queue: .passthrough) { _ in }
    store.commit("Search") { $0.searchText = "b" }
    let report = try check(inspection, width: width)
    expectTrue(report.contains("ok the store is shown: 1 commit"))
    let row = try Chromium.elements(
      of: folder.file("page.html"), at: "#/rows/authors/%22a1%22", in: URL(filePath: folder.path))
    // The author's books go with it, and one of them is a sequel in a shelf.
    expectTrue(row.contains("removes 2 more rows"))
    expectTrue(row.contains("By the delete rules of the storage."))
    let shown = try Chromium.elements(
      of: folder.file("page.html"), at: "#/store", in: URL(filePath: folder.path))
    expectTrue(shown.contains("searchText"))
    subscription.cancel()
  }

  @Test("The page of an empty store passes its checks")
  func empty() throws {
    let report = try check(Store<Int, Never>(initialState: 3).inspect())
    expectTrue(report.contains("ok the store is shown: 0 commits"))
  }

  @Test("Hostile names, values and errors do not become elements or code")
  func hostile() throws {
    let store = AppStore(initialState: AppState())
    let inspection = store.inspect()
    var subscriptions: [StoreSubscription] = []
    for (number, text) in HostileDatabase.texts.enumerated() {
      let queue = DispatchQueue(label: text)
      subscriptions.append(
        store.entity(Author.EntityID(text), in: \.library)
          .sinkState(queue: .asyncSerialQueue(queue)) { _ in })
      try store.commit(text) { state in
        state.searchText = text + "\(number)"
        try state.library.performBatchUpdates { context in
          context.modifying.authors.insert(Author(id: text, name: text))
          context.modifying.books.insert(
            Book(rawID: text, title: text, authorID: Author.EntityID(text)))
        }
      }
      #expect(throws: Refusal.self) {
        try store.commit(text) { _ in throw Refusal(description: text) }
      }
    }
    let report = try check(inspection)
    expectTrue(report.contains("ok content stays content"))
    expectTrue(report.contains("ok the store is shown: \(2 * HostileDatabase.texts.count) commits"))
    withExtendedLifetime(subscriptions) {}
  }
}
