import EntiaDatabase
import EntiaLocalServer
import EntiaPostgreSQL
import EntiaRecords
import Foundation
import Testing

@testable import EntiaCLI

private struct Author: EntityType, Identifiable, Codable {
  let id: String
  var name: String
  var email: String?
}

private struct Post: EntityType, Identifiable, Codable {
  struct Place: Codable, Equatable {
    var place: String
    var at: [Double]
  }

  let id: String
  var title: String
  var author: Author.EntityID?
  var comments: [String]
  var published: Bool
  var rating: Double?
  var views: Double
  var `where`: Place?
}

private struct Blog: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var posts = Tables.Ordered<Post>()
    var pinned = Indexes.OrderedID<Post>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
      visitor.index("pinned", \.pinned)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite(
  "A space of records opens with a storage",
  .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct TypedSpaceTests {
  private let blog: RecordDatabase

  init() throws {
    // A number that no `Double` has would be an error of its row.
    let text = String(decoding: try fixture("blog/expected.json"), as: UTF8.self)
    blog = try database(Array(text.replacing("1e400", with: "1e40").utf8))
  }

  @Test("The rows are those of the JSON, in their order")
  func load() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "typed")
    try space.write(blog, replacingRows: false)
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "typed")
    let contents = try await shared.load().snapshot.contents
    #expect(contents.authors.count == 4 && contents.posts.count == 6)
    let expected = blog.records.filter { $0.id.entity == "posts" }.map { $0.id.key.text }
    #expect(contents.posts.map(\.id) == expected)
    let post = try #require(contents.posts.find(by: Post.EntityID("p1")))
    #expect(post.title == "Bones in the cliff" && post.published && post.rating == 4.5)
    #expect(post.author == Author.EntityID("a1") && post.comments == ["c2", "c1", "c6"])
    #expect(post.where == Post.Place(place: "Lyme Regis", at: [50.7252, -2.9366]))
    let second = try #require(contents.posts.find(by: Post.EntityID("p2")))
    #expect(second.views == 1.2345678901234568e29 && second.where == nil)
    await shared.close()
  }

  @Test("Batches of a program are read back, and rows that it does not have stay")
  func change() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "changed")
    try space.write(blog, replacingRows: false)
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "changed")
    let loaded = try await shared.loadVersion()
    var next = loaded.storage
    next.performBatchUpdates { context in
      context.modifying.posts.updateIfExists(id: Post.EntityID("p1")) { $0.title = "Bones" }
      context.modifying.pinned.append(Post.EntityID("p2"))
    }
    let outcome = try await shared.push(
      next.changes(since: loaded.storage), client: ClientID(), mutation: 1, base: loaded.version)
    #expect(outcome == .committed(version: loaded.version + 1))
    let (json, notes) = try space.read()
    #expect(notes == ["'pinned' holds IDs and no rows; it is left out"])
    let copy = try database(json)
    let difference = copy.difference(from: blog).text()
    #expect(difference.hasPrefix("posts: 1 updated"), "\(difference)")
    #expect(copy.count == blog.count)
    // A program that runs loads the rows that replace its own.
    try space.write(blog, replacingRows: true)
    guard case .trimmed = try await shared.batches(since: loaded.version + 1, limit: 10) else {
      Issue.record("the space was not replaced")
      return
    }
    #expect(try await shared.load() == loaded.storage)
    await shared.close()
  }

  @Test("A space that only a program wrote has its tables, with their IDs")
  func written() async throws {
    let connection = try await TestSpaces.connection()
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "program")
    var first = Blog()
    first.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a1", name: "$Ann", email: nil))
    }
    _ = try await shared.push(
      first.changes(since: Blog()), client: ClientID(), mutation: 1, base: 0)
    let space = try RecordSpace(connecting: connection, space: "program")
    let copy = try database(try space.read().json)
    #expect(copy.schema.entities.map(\.name) == ["authors"])
    #expect(copy.schema.entities.map(\.idName) == ["id"])
    let row = try #require(copy.record(RecordID(entity: "authors", key: .string("a1"))))
    #expect(row["name"] == .plain(JSONText(.string("$Ann"))))
    await shared.close()
  }
}
