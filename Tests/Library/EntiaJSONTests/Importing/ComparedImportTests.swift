import Entia
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@Entity
private struct Author {
  let id: String
  var name: String
}

/// An entity whose ID has another name than in records.
@Entity(id: "slug")
private struct Tag {
  @Stored("id") let slug: String
  var name: String
}

@Entity
private struct Level {
  enum Name: String, Codable, Sendable { case low, high }
  let id: Name
  var text: String
}

@Entity
private struct Photo {
  let id: UUID
  var text: String
}

@Entity
private struct Post {
  let id: String
  var title: String
  var author: Author.EntityID?
  var tags: [Tag.EntityID] = []
  var photo: Photo.EntityID?
  var level: Level.EntityID?
  var isRead = false
  @Transient var isOpen = false
}

@NormalizedStorage
private struct Blog {
  @Table var posts: Tables.Ordered<Post> = .init()
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var tags: Tables.Hash<Tag> = .init()
  @Table var levels: Tables.Hash<Level> = .init()
  @Table var photos: Tables.Hash<Photo> = .init()
}

private let schema = Schema([
  Schema.Entity(
    "posts",
    relationships: [
      Schema.Relationship("author", to: "authors"), Schema.Relationship("photo", to: "photos"),
      Schema.Relationship("tags", to: "tags", isMany: true),
      Schema.Relationship("level", to: "levels"),
    ]),
  Schema.Entity("authors"), Schema.Entity("tags"), Schema.Entity("levels"),
  Schema.Entity("photos"),
])

@Suite("Imports into Swift types and imports of records, on the same inputs")
struct ComparedImportTests {
  private func imported(
    _ text: String, _ format: ImportFormat
  ) -> (typed: TypedImport<Blog, Post>, records: (database: RecordDatabase?, report: ImportReport))
  {
    var options = TypedImportOptions()
    options.format = format
    return (
      Importer.importing([source(text)], of: Post.self, into: Blog(), options: options),
      Importer.importing(
        [source(text)], into: nil,
        options: ImportOptions(format: format, schema: schema, root: "posts"))
    )
  }

  @Test(
    "Both report the same problems",
    arguments: [
      (ImportFormat.nested, "", ["$ malformedJSON"]), (.nested, " ", ["$ malformedJSON"]),
      (.nested, #"[{"id":"p","title":""},]"#, ["$[1] malformedJSON"]),
      (
        .nested, #"[{"title":""},7,{}]"#, ["$[0] missingID", "$[1] typeMismatch", "$[2] missingID"]
      ),
      (
        .nested, #"[{"id":"p","title":"","tags":[{"name":""},"t",{},[]]}]"#,
        ["$[0].tags[0] missingID", "$[0].tags[2] missingID", "$[0].tags[3] typeMismatch"]
      ),
      (
        .ndjson, "\u{FEFF}{\"id\":\"p\",\"title\":\"\"},\n\n5\n{}",
        ["$[0] malformedJSON", "$[1] typeMismatch", "$[2] missingID"]
      ),
      (
        .keyed, #"{"a":{"title":""},"b":{"id":"c","title":""},"d":[],"a":{"title":1}}"#,
        ["$.b typeMismatch", "$.d typeMismatch", "$.a duplicateKey"]
      ),
      (
        .tables,
        #"{"tags":{"a":{"name":"A"},"b":{"name":""},"a":{"name":"A"}},"tags":[],"posts":1}"#,
        [
          "$.tags.a duplicateKey", "$.tags duplicateKey",
          "$.posts typeMismatch",
        ]
      ),
      (
        .jsonapi,
        #"""
        {"data":[{"type":"posts","id":"1","attributes":{"title":"","id":2},"relationships":{
            "author":{"data":7},"level":[],"tags":{"data":[1,{"type":"tags"},{"id":"x"}]}}},
          {"type":"posts","id":1,"attributes":1,"relationships":[]},{"id":"x"}],"data":null}
        """#,
        [
          "$.data[0].attributes.id conflict", "$.data[0].relationships.author.data typeMismatch",
          "$.data[0].relationships.level typeMismatch",
          "$.data[0].relationships.tags.data[0] typeMismatch",
          "$.data[0].relationships.tags.data[1] missingID",
          "$.data[0].relationships.tags.data[2] missingID", "$.data[1].id typeMismatch",
          "$.data[1].attributes typeMismatch", "$.data[1].relationships typeMismatch",
          "$.data[2] missingID", "$.data duplicateKey",
        ]
      ),
    ])
  func problems(format: ImportFormat, text: String, problems: [String]) {
    let (typed, records) = imported(text, format)
    for report in [typed.report, records.report] {
      let errors = report.problems.filter { $0.severity == .error }
      expectEqual(errors.map { "\($0.path) \($0.kind)" }, problems)
      expectEqual(report.rejected, report.read)
    }
  }

  @Test("IDs of every type have one database in every shape, which the tables of records have, too")
  func shapes() throws {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let members = #""title":"T","author":"a","tags":["t","t"],"photo":"\#(uuid)","level":"low""#
    let posts = [
      #"{"id":"p","title":"T","author":{"id":"a","name":"A"},"isOpen":true,"#
        + #""tags":[{"id":"t","name":"T"},{"id":"t","name":"T"}],"#
        + #""photo":{"id":"\#(uuid)","text":"P"},"level":{"id":"low","text":"L"}}"#,
      #"{"id":"q","title":"T","author":null,"tags":[],"level":null}"#,
    ]
    let nested = "[\(posts.joined(separator: ","))]"
    let rows = [
      ("author", "a", #""name":"A""#), ("tag", "t", #""name":"T""#),
      ("photo", uuid, #""text":"P""#), ("level", "low", #""text":"L""#),
    ]
    func linkage(_ type: String, _ id: String) -> String { #"{"type":"\#(type)","id":"\#(id)"}"# }
    let resources = rows.map {
      #"{"type":"\#($0.0)s","id":"\#($0.1)","attributes":{\#($0.2)}}"#
    }
    let texts: [(ImportFormat, String)] = [
      (.nested, nested),
      (.ndjson, posts.joined(separator: "\n")),
      (
        .keyed,
        #"{"p":{\#(posts[0].dropFirst(10)),"q":{\#(posts[1].dropFirst(10))}"#
      ),
      (
        .tables,
        #"{"posts":{"p":{\#(members)},"q":{"id":"q","title":"T","tags":[]}},"#
          + rows.map { #""\#($0.0)s":{"\#($0.1)":{\#($0.2)}}"# }.joined(separator: ",") + "}"
      ),
      (
        .django,
        #"[{"model":"b.posts","pk":"p","fields":{\#(members)}},"#
          + #"{"model":"b.posts","pk":"q","fields":{"title":"T","tags":[]}},"#
          + rows.map { #"{"model":"b.\#($0.0)s","pk":"\#($0.1)","fields":{\#($0.2)}}"# }
          .joined(separator: ",") + "]"
      ),
      (
        .jsonapi,
        #"{"data":[{"type":"posts","id":"p","attributes":{"title":"T"},"relationships":{"#
          + #""author":{"data":\#(linkage("authors", "a"))},"photo":{"data":\#(linkage("photos", uuid))},"#
          + #""level":{"data":\#(linkage("levels", "low"))},"#
          + #""tags":{"data":[\#(linkage("tags", "t")),\#(linkage("tags", "t"))]}}},"#
          + #"{"type":"posts","id":"q","attributes":{"title":"T","tags":[]}}],"#
          + #""included":[\#(resources.joined(separator: ","))]}"#
      ),
      (
        .graphql,
        #"{"data":{"all":{"nodes":\#(nested)}}}"#
      ),
    ]
    let expected = try #require(imported(nested, .nested).typed.database)
    expectTrue(expected.posts.count == 2 && expected.photos.count == 1)
    expectEqual(expected.posts["p"]?.tags, ["t", "t"])
    for (format, text) in texts {
      let (typed, records) = imported(text, format)
      expectEqual(typed.report.problems.map(\.description), [], "\(format)")
      expectEqual(typed.database, expected, "\(format)")
      expectEqual(records.report.problems.map(\.description), [], "\(format)")
      for tables in [try expected.exportTables(), try #require(records.database).write()] {
        let isDatabase = tables.starts(with: Array("{\n  \"schema\"".utf8))
        let read = Importer.importingTables(
          [ImportSource(name: "tables", bytes: tables)], into: Blog(),
          options: TypedImportOptions(at: isDatabase ? JSONPath("$.entities") : nil))
        expectEqual(read.report.problems.map(\.description), [], "\(format)")
        expectEqual(read.database, expected, "\(format)")
      }
    }
  }
}
