import Entia
import EntiaJSON
import EntiaTestSupport
import Testing

@Entity
private struct Article {
  enum Mood: String, Codable, Sendable { case calm, loud }

  let id: Int
  @Stored(renamedFrom: "name") var title: String
  var mood = Mood.calm
  var stars: Int
  var isRead = false
}

@Entity
private struct Reply {
  let id: Int
  @Stored("article") var articleID: Article.EntityID
  var parentID: EntityID?
  var text = "-"
}

@NormalizedStorage
private struct Magazine {
  @Table var articles: Tables.Hash<Article> = .init()
  @Table var replies: Tables.Ordered<Reply> = .init()
  @Relationship var replyArticle: ToOne<Reply, Article> = .init(\.articleID, onDelete: .cascade)
  @Relationship var replyParent: ToOne<Reply, Reply> = .init(\.parentID, onDelete: .cascade)
}

@Suite("Import and export of entities that @Entity made")
struct MacroEntityTests {
  @Test("Children take the key of their parent, and nested entities take the places of IDs")
  func children() throws {
    var magazine = Magazine()
    let report = try magazine.importJSON(
      source(
        """
        [{"id":1,"title":"A","stars":1,
          "replies":[{"id":10,"text":null},{"article":null,"id":11,"replies":[{"id":12,"article":1}]},
                     {"id":13,"parent":{"id":14,"article":1,"text":"t"}}]},
         {"id":2,"name":"B","stars":2,"mood":"loud","replies":{"id":15,"article":2}}]
        """), of: Article.self, options: TypedImportOptions(strict: true))
    expectTrue(report.problems.isEmpty && report.ignored.isEmpty && report.read == 8)
    expectEqual(magazine.articles.find(by: 2)?.title, "B")
    let replies = Dictionary(uniqueKeysWithValues: magazine.replies.map { ($0.id, $0) })
    expectEqual(replies.mapValues(\.articleID), [10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 2])
    expectEqual(replies.compactMapValues(\.parentID), [12: 11, 13: 14])
    expectTrue(replies[10]?.text == "-" && replies[14]?.text == "t")
    expectTrue(magazine.verify().isEmpty)
    let text = try magazine.exportTables()
    let again = Importer.importingTables(
      [ImportSource(name: "tables", bytes: text)], into: Magazine())
    expectEqual(again.database, magazine)
    expectEqual(
      String(
        decoding: try magazine.exportJSON(
          Reply.self, ids: [13], depth: 1, following: [.inverse(\.replyParent, as: "replies")],
          options: TypedExportOptions(keys: .snakeCase)), as: UTF8.self),
      """
      [
        {"id":13,"article":{"id":1,"title":"A","mood":"calm","stars":1,"is_read":false},\
      "parent_id":{"id":14,"article":1,"text":"t","replies":[13]},"text":"-","replies":[]}
      ]

      """)
  }

  @Test("Defaults of an import precede declared values, and policies merge")
  func options() throws {
    var options = TypedImportOptions()
    options.setDefault(Article.Mood.loud, for: "mood", of: Article.self)
    options.setDefault(4, for: "stars", of: Article.self)
    var magazine = Magazine()
    try magazine.importJSON(
      source(#"[{"id":1,"title":"A"},{"id":2,"title":"B","mood":"calm","isRead":true}]"#),
      of: Article.self, options: options)
    expectEqual(
      magazine.articles.find(by: 1),
      Article(id: 1, title: "A", mood: .loud, stars: 4, isRead: false))
    let report = try magazine.importJSON(
      source(#"[{"id":2,"title":"C","stars":1,"isRead":false}]"#), of: Article.self,
      merging: .keeping(\.isRead))
    expectEqual(report.updated, 1)
    expectEqual(
      magazine.articles.find(by: 2), Article(id: 2, title: "C", mood: .calm, stars: 1, isRead: true)
    )
    options.setDefault("4", for: "stars", of: Article.self)
    let error = #expect(throws: ImportProblems.self) {
      try magazine.importJSON(
        source(#"[{"id":3,"title":"A"}]"#), of: Article.self, options: options)
    }
    expectEqual(error?.problems.map(\.kind), [.typeMismatch])
  }

  @Test("A strict import refuses ignored members; a missing member and a wrong one have a path")
  func problems() {
    var magazine = Magazine()
    var strict = TypedImportOptions(strict: true)
    strict.keys = .snakeCase
    let error = #expect(throws: ImportProblems.self) {
      try magazine.importJSON(
        source(
          """
          [{"id":1,"title":"A","stars":1,"extra":{"id":1}},{"id":2,"title":"B"},
           {"id":3,"title":"C","stars":1,"is_read":1},{"id":4,"title":"D","stars":1,"mood":"shy"}]
          """), of: Article.self, options: strict)
    }
    expectEqual(error?.problems.map(\.path), ["$[0].extra", "$[1]", "$[2].is_read", "$[3].mood"])
    expectTrue(magazine.articles.isEmpty)
  }

  @Test("A default is for a member that a record has under none of its names")
  func renamedDefault() throws {
    var options = TypedImportOptions()
    options.setDefault("default", for: "title", of: Article.self)
    var magazine = Magazine()
    try magazine.importJSON(
      source(
        """
        [{"id":1,"name":"old","stars":1},{"id":2,"title":"new","stars":1},{"id":3,"stars":1}]
        """),
      of: Article.self, options: options)
    expectEqual(magazine.articles.map(\.title), ["old", "new", "default"])
  }
}
