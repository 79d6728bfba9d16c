import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@Suite("Export of Swift types")
struct TypedExportTests {
  private let options = TypedImportOptions(dates: .iso8601)
  private let spelling = TypedExportOptions(dates: .iso8601)

  private func blog() throws -> TypedBlog {
    var blog = TypedBlog()
    try blog.importJSON(source(typedPosts), of: TypedPost.self, options: options)
    return blog
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("entities are nested to a depth, and written as IDs if they repeat on a branch")
  func nested() throws {
    let blog = try blog()
    let flat = try blog.exportJSON(TypedPost.self, ids: ["p2", "p9"], options: spelling)
    expectEqual(
      text(flat), "[\n  {\"id\":\"p2\",\"title\":\"Two\",\"authorID\":\"a1\",\"comments\":[1]}\n]\n"
    )
    let nested = try blog.exportJSON(TypedAuthor.self, ids: ["a2"], depth: 5, options: spelling)
    expectEqual(
      text(nested),
      "[\n  {\"id\":\"a2\",\"name\":\"Böb\",\"friend\":{\"id\":\"a1\",\"name\":\"Ann\"}}\n]\n")
    var loop = blog
    try loop.performBatchUpdates {
      _ = $0.modifying.authors.updateIfExists(id: "a1") { $0.friend = "a2" }
    }
    expectEqual(
      text(try loop.exportJSON(TypedAuthor.self, ids: ["a2"], depth: 500)),
      "[\n  {\"id\":\"a2\",\"name\":\"Böb\",\"friend\":"
        + "{\"id\":\"a1\",\"name\":\"Ann\",\"friend\":\"a2\"}}\n]\n")
  }

  @Test("Law 28: an export of any depth imports to the same entities", arguments: 0...4)
  func roundTrip(depth: Int) throws {
    let blog = try blog()
    let nested = try blog.exportJSON(TypedPost.self, depth: depth, options: spelling)
    var again = TypedBlog()
    try again.importJSON(
      ImportSource(name: "x", bytes: nested), of: TypedPost.self, options: options)
    expectEqual(again.posts, blog.posts)
    if depth >= 3 { expectEqual(again.authors, blog.authors) }
    let tables = try blog.exportTables(options: spelling)
    let (read, report) = Importer.importingTables(
      [ImportSource(name: "x", bytes: tables)], into: TypedBlog(), options: options)
    expectTrue(report.problems.isEmpty)
    expectEqual(read, blog)
    try expectEqual(read?.exportTables(options: spelling), tables)
  }

  @Test("snake case is written as it is read")
  func snakeCase() throws {
    let blog = try blog()
    let snake = TypedExportOptions(keys: .snakeCase, dates: .millisecondsSince1970)
    let bytes = try blog.exportJSON(TypedPost.self, ids: ["p1"], options: snake)
    expectEqual(
      text(bytes),
      "[\n  {\"id\":\"p1\",\"title\":\"One\",\"posted_on\":1795275000000,"
        + "\"author_id\":\"a1\",\"comments\":[2,1]}\n]\n")
  }

  @Test("values that JSON cannot represent, and a missing table, are errors")
  func errors() throws {
    struct Stranger: EntityType, Identifiable, Codable { let id: Int }
    #expect(throws: EncodingError.self) { try TypedBlog().exportJSON(Stranger.self) }
    var blog = TypedBlog()
    try blog.performBatchUpdates {
      _ = $0.modifying.posts.insert(
        TypedPost(
          id: "p", title: "", postedOn: Date(timeIntervalSince1970: .nan), authorID: "a",
          comments: []))
    }
    for export in [{ try $0.exportJSON(TypedPost.self) }, { try $0.exportTables() }]
      as [(TypedBlog) throws -> [UInt8]]
    {
      let error = #expect(throws: EncodingError.self) { try export(blog) }
      guard case .invalidValue(_, let context) = error else { continue }
      expectTrue(context.debugDescription.hasPrefix("posts \"p\": ISO 8601 has dates"))
      expectEqual(context.codingPath.map(\.stringValue), ["postedOn"])
    }
  }
}
