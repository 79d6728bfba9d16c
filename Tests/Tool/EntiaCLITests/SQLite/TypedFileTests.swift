import EntiaDatabase
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

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

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
    }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Ordered<Post> { snapshot.contents.posts }
}

/// The blog with another name of a table.
private struct Magazine: NormalizedStorageType {
  struct Contents: StorageContents {
    var people = Tables.Hash<Author>()
    var posts = Tables.Ordered<Post>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("people", \.people)
      visitor.table("posts", \.posts)
    }
  }

  var snapshot = Snapshot(Contents())
  var people: Tables.Hash<Author> { snapshot.contents.people }
  var posts: Tables.Ordered<Post> { snapshot.contents.posts }
}

@Suite("A file of records opens with a storage")
struct TypedFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let original: RecordDatabase

  init() throws {
    folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: Repository.root.appending(path: "Fixtures/blog/expected.json"))
    original = try database([UInt8](bytes))
    path = try folder.write(original)
  }

  @Test("Rows that another program adds with an ID that is equal in JSON are counted in a note")
  func equalIDs() throws {
    let path = folder.path("saved.sqlite")
    let file = try DatabaseFile<Blog>(path: path)
    var blog = Blog()
    blog.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "YWI=", name: "Ann", email: nil))
      context.modifying.authors.insert(Author(id: "c", name: "Bea", email: nil))
    }
    try file.save(blog)
    try file.close()
    try folder.execute("INSERT INTO authors(id, name) VALUES (x'6163', 'Cleo')", path)
    try expectEqual(RecordFile.read(path).notes, [])
    try folder.execute("INSERT INTO authors(id, name) VALUES (x'6162', 'Ann')", path)
    try expectEqual(
      RecordFile.read(path).notes,
      [
        "2 rows of authors have 1 ID in JSON, YWI=, and are read as 1 row"
      ])
  }

  @Test("The rows are those of the JSON")
  func load() throws {
    let file = try DatabaseFile<Blog>(path: path)
    let contents = try file.load().snapshot.contents
    expectTrue(contents.authors.count == 4 && contents.posts.count == 6)
    let post = try #require(contents.posts.find(by: Post.EntityID("p1")))
    expectTrue(post.title == "Bones in the cliff" && post.published && post.rating == 4.5)
    expectTrue(post.author == Author.EntityID("a1") && post.comments == ["c2", "c1", "c6"])
    expectEqual(post.where, Post.Place(place: "Lyme Regis", at: [50.7252, -2.9366]))
    let second = try #require(contents.posts.find(by: Post.EntityID("p2")))
    expectTrue(second.views == 1.2345678901234568e29 && second.where == nil)
    let author = try #require(contents.authors.find(by: Author.EntityID("a2")))
    expectNil(author.email)
    let unclaimed = try file.unclaimed
    expectEqual(unclaimed.tables, ["comments"], "\(unclaimed)")
    try file.close()
  }

  @Test("Rows that a program changes are exported, and the others stay as they were")
  func edit() throws {
    let file = try DatabaseFile<Blog>(path: path)
    var blog = try file.load()
    blog.performBatchUpdates { context in
      context.modifying.posts.updateIfExists(id: Post.EntityID("p1")) { $0.title = "Bones" }
    }
    try file.save(blog)
    try file.close()
    let copy = try database(try RecordFile.read(path).json)
    let difference = copy.difference(from: original).text()
    expectTrue(difference.hasPrefix("posts: 1 updated"), "\(difference)")
    let post = try #require(copy.record(RecordID(entity: "posts", key: .string("p1"))))
    expectEqual(post["title"], .plain(JSONText(.string("Bones"))))
  }

  @Test("The file has the form of today: migrations are not applied to it, and are recorded")
  func migrations() throws {
    let migrations: [Migration] = [
      .renamingMember("headline", to: "title", of: "posts"),
      .transforming("posts", named: "shout") { row in
        var row = row
        row["title"] = .text(try row.value(String.self, of: "title").uppercased())
        return row
      },
    ]
    let plan = try DatabaseFile<Blog>.migrationPlan(path: path, migrations: migrations)
    expectTrue(plan.pending.isEmpty && plan.applied.isEmpty)
    var file = try DatabaseFile<Blog>(path: path, migrations: migrations)
    var blog = try file.load()
    let title = blog.posts.find(by: Post.EntityID("p1"))?.title
    expectEqual(title, "Bones in the cliff")
    blog.performBatchUpdates { $0.modifying.posts.remove(Post.EntityID("p2")) }
    try file.save(blog)
    try file.close()
    // Later migrations are applied, those before are not.
    let next = Migration.transforming("posts", named: "next") { row in
      var row = row
      row["title"] = .text("next")
      return row
    }
    file = try DatabaseFile(path: path, migrations: migrations + [next])
    blog = try file.load()
    expectTrue(blog.posts.allSatisfy { $0.title == "next" })
    expectEqual(blog.posts.count, 5)
    try file.close()
    #expect(throws: DatabaseFileError.self) { try DatabaseFile<Blog>(path: path) }
  }

  private static let renaming = Migration.renamingTable("authors", to: "people")

  /// Opens the file with another name of a table.
  private func openMagazine(
    _ migrations: [Migration], _ configuration: DatabaseFileConfiguration = .init()
  ) throws -> DatabaseFile<Magazine> {
    try DatabaseFile(path: path, configuration: configuration, migrations: migrations)
  }

  @Test("The first save refuses another name of a table, and the migration that it advises works")
  func renamedTable() throws {
    var file = try openMagazine([])
    let refused = try file.load()
    let error = #expect(throws: DatabaseFileError.self) { try file.save(refused) }
    expectEqual(
      error,
      .tablesAreUnmatched(file: path, missing: ["people"], unclaimed: ["authors", "comments"]))
    expectTrue(error?.description.contains("renamingTable(_:to:)") ?? false)
    try file.close()
    let migrations = [
      .transforming("posts", named: "removes posts") { _ in nil }, Self.renaming,
      .addingMember("email", to: "people", value: "none"),
    ]
    file = try openMagazine(migrations)
    var magazine = try file.load()
    expectTrue(magazine.people.count == 4 && magazine.posts.count == 6)
    expectNil(magazine.people.find(by: Author.EntityID("a2"))?.email)
    try expectEqual(file.unclaimed.tables, ["comments"])
    magazine.performBatchUpdates { $0.modifying.posts.remove(Post.EntityID("p2")) }
    try file.save(magazine)
    try file.close()
    // The first save has recorded all of them.
    file = try openMagazine(migrations)
    try expectEqual(file.load().snapshot.contents.posts.count, 5)
  }

  struct Renamings: CustomTestStringConvertible, Sendable {
    let names: [(String, String)]
    /// The migration that renames the authors; `nil` if none does.
    let applied: String?
    var testDescription: String { "\(names)" }
    var migrations: [Migration] { names.map { .renamingTable($0, to: $1) } }
  }

  static let renamings: [Renamings] = [
    Renamings(names: [("authors", "people")], applied: "rename table authors to people"),
    Renamings(
      names: [("writers", "authors"), ("authors", "people")],
      applied: "rename table authors to people"),
    Renamings(
      names: [("authors", "posts"), ("posts", "people")], applied: "rename table posts to people"),
    Renamings(
      names: [("comments", "people"), ("authors", "people")],
      applied: "rename table authors to people"),
    Renamings(names: [("writers", "people")], applied: nil),
    Renamings(names: [("authors", "writers")], applied: nil),
    Renamings(names: [("posts", "people")], applied: nil),
    Renamings(names: [("authors", "posts"), ("comments", "posts")], applied: nil),
  ]

  @Test("Only a table that the storage lacks gets a name that the file lacks", arguments: renamings)
  func chosenTable(_ renamings: Renamings) throws {
    let applied = renamings.applied.map { [$0] } ?? []
    func plan() throws -> MigrationPlan {
      try DatabaseFile<Magazine>.migrationPlan(path: path, migrations: renamings.migrations)
    }
    let change = applied.map { _ in "rename table authors to people" }
    try expectEqual(plan().pending.map(\.name), applied)
    try expectEqual(plan().pending.map(\.change), change)
    for _ in 0..<2 {
      let file = try openMagazine(renamings.migrations)
      try expectEqual(file.load().people.count, applied.isEmpty ? 0 : 4)
      try expectEqual(file.load().posts.count, 6)
      try file.close()
      try expectEqual(plan(), MigrationPlan(applied: applied, pending: []))
    }
    if applied.isEmpty { return }
    #expect(throws: DatabaseFileError.self) { try openMagazine([]) }
  }

  @Test("A file that may only be read names the migration, and is unchanged")
  func renamedTableInReader() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = DatabaseFileError.needsMigration(file: path, migrations: [Self.renaming.name])
    #expect(throws: error) { try openMagazine([Self.renaming], .init(isReadOnly: true)) }
    try expectEqual(Data(contentsOf: URL(fileURLWithPath: path)), before)
    try openMagazine([Self.renaming]).close()
    let reader = try openMagazine([Self.renaming], .init(isReadOnly: true))
    try expectEqual(reader.load().people.count, 4)
  }

  @Test("A process that shares the file without the migration reads nothing more")
  func renamedTableInSharedFile() throws {
    let shared = DatabaseFileConfiguration(access: .shared)
    let other = try DatabaseFile<Blog>(path: path, configuration: shared)
    try expectEqual(other.load().snapshot.contents.authors.count, 4)
    let file = try openMagazine([Self.renaming], shared)
    try expectEqual(file.load().people.count, 4)
    #expect(
      throws: DatabaseFileError.isNewer(
        file: path,
        reason: "it has migrations that this program does not have: \(Self.renaming.name)")
    ) { try other.load() }
  }

  @Test("The tool reads a renamed table as a renamed entity", arguments: [false, true])
  func renamedEntity(isSaved: Bool) throws {
    if isSaved {
      // A program has saved the file before it has the migration.
      let file = try DatabaseFile<Blog>(path: path)
      try file.save(file.load())
      try file.close()
    }
    try openMagazine([Self.renaming]).close()
    let text = String(decoding: try fixture("blog/expected.json"), as: UTF8.self)
      .replacing("\"authors\"", with: "\"people\"")
    let renamed = try database(Array(text.utf8))
    let copy = try database(RecordFile.read(path).json)
    expectEqual(copy.difference(from: renamed).text(), renamed.difference(from: renamed).text())
  }
  @Test("A renamed entity takes the place of one without rows, and stays one of several targets")
  func renamedTarget() throws {
    func text(_ name: String, _ entity: String) -> String {
      """
      {
        "schema": {"entities": {\(entity)
          "\(name)": {},
          "posts": {"relationships": {"about": {"to": {"a": "\(name)", "p": "posts"}}}}}},
        "entities": {
          "\(name)": [{"id": "1", "name": "Ann", "type": "a"}],
          "posts": [
            {"id": "1", "type": "p", "about": {"type": "a", "id": "1"}},
            {"id": "2", "type": "p", "about": {"type": "p", "id": "1"}}]},
        "result": {"\(name)": ["1"]}
      }
      """
    }
    _ = try folder.write(database(Array(text("authors", #""people": {"id": "key"},"#).utf8)))
    try openMagazine([Self.renaming]).close()
    let copy = try database(RecordFile.read(path).json)
    let renamed = try database(Array(text("people", "").utf8))
    expectEqual(copy.difference(from: renamed).text(), renamed.difference(from: renamed).text())
  }
}
