import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Testing

private struct Writer: EntityType, Identifiable, Codable {
  let id: String
  var name: String
  var bio: String?
}

private struct Article: EntityType, Identifiable, Codable {
  let id: String
  var title: String
  var author: Writer.EntityID
  var isRead: Bool
}

/// Rows that merge as they themselves say.
private struct Tag: EntityType, Identifiable, Codable, MergingEntityType {
  let id: String
  var uses: Int

  static var mergePolicy: MergePolicy<Tag> {
    MergePolicy { Tag(id: $0.id, uses: $0.uses + $1.uses) }
  }
}

private struct Feed: NormalizedStorageType {
  struct Contents: StorageContents {
    var articles = Tables.Hash<Article>()
    var writers = Tables.Hash<Writer>()
    var tags = Tables.Hash<Tag>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("articles", \.articles)
      visitor.table("writers", \.writers)
      visitor.table("tags", \.tags)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var articles: Tables.Hash<Article> { snapshot.contents.articles }
  var writers: Tables.Hash<Writer> { snapshot.contents.writers }
  var tags: Tables.Hash<Tag> { snapshot.contents.tags }
}

@Suite("Typed import: merging pages")
struct TypedMergingTests {
  private let page1 = """
    {"articles": [{"id": "p1", "title": "One", "author": {"id": "a1", "name": "Ann", "bio": "B"}}],
     "next": "/2"}
    """
  private let page2 = """
    {"articles": [{"id": "p1", "title": "One!", "author": {"id": "a1", "name": "Anna"}},
                  {"id": "p2", "title": "Two", "author": "a1"}], "next": null}
    """

  private var options: TypedImportOptions {
    var options = TypedImportOptions(at: JSONPath("$.articles"))
    options.setDefault(false, for: "isRead", of: Article.self)
    return options
  }

  /// The first page, with its article read.
  private func feed() throws -> Feed {
    var feed = Feed()
    try feed.importJSON(source(page1), of: Article.self, options: options)
    try feed.performBatchUpdates {
      _ = $0.modifying.articles.updateIfExists(id: "p1") { $0.isRead = true }
    }
    return feed
  }

  @Test("a second page with a changed author is merged by the policies")
  func paging() throws {
    var feed = try feed()
    let live = feed
    let report = try feed.importJSON(
      source(page2), of: Article.self, merging: .keeping(\.isRead),
      MergePolicy<Writer>.fillingMissing(\.bio), options: options)
    expectEqual(feed.writers.find(by: "a1"), Writer(id: "a1", name: "Anna", bio: "B"))
    expectEqual(
      feed.articles.find(by: "p1"), Article(id: "p1", title: "One!", author: "a1", isRead: true))
    expectEqual(feed.articles.find(by: "p2")?.isRead, false)
    expectTrue(report.read == 3 && report.inserted == 1 && report.updated == 2)
    expectEqual(live.writers.find(by: "a1")?.name, "Ann")
    let again = try feed.importJSON(
      source(page2), of: Article.self, merging: .keeping(\.isRead),
      MergePolicy<Writer>.fillingMissing(\.bio), options: options)
    expectEqual(again.unchanged, 3, "law 29: a second import changes nothing")
  }

  @Test("a policy of the root entity makes newer nested entities replace, unless they are refused")
  func nestedReplacement() throws {
    var feed = try feed()
    let report = try feed.importJSON(
      source(page2), of: Article.self, merging: .keeping(\.isRead), options: options)
    expectTrue(report.problems.isEmpty && report.updated == 2)
    expectEqual(feed.writers.find(by: "a1")?.name, "Anna")
    expectEqual(feed.articles.find(by: "p1")?.isRead, true)
  }

  @Test("policies in the options are those of the call")
  func policiesInOptions() throws {
    var feed = try feed()
    var options = options
    options.merging[Article.self] = .keeping(\.isRead)
    try feed.importJSON(source(page2), of: Article.self, options: options)
    expectEqual(feed.writers.find(by: "a1")?.name, "Anna")
    expectEqual(feed.articles.find(by: "p1")?.isRead, true)
    options.onConflict = .error
    #expect(throws: (any Error).self) {
      try feed.importJSON(source(page1), of: Article.self, options: options)
    }
  }

  @Test("if conflicts are errors, a changed author is refused, and the message recommends a policy")
  func refusal() throws {
    var feed = try feed()
    let before = feed
    var options = options
    options.onConflict = .error
    do {
      try feed.importJSON(
        source(page2), of: Article.self, merging: .keeping(\.isRead), options: options)
      Issue.record("the author differs")
    } catch let problems as ImportProblems {
      expectEqual(
        problems.problems.map(\.description),
        [
          "in.json: $.articles[0].author: error: conflict: writers \"a1\" differs from the one in "
            + "the database; pass a MergePolicy for it as merging:, or set onConflict to .replace "
            + "or .keep"
        ])
    }
    expectTrue(feed.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("the conflicts of a page are one group with a count in the text of the error")
  func groupedConflicts() throws {
    func page(_ name: String) -> String {
      let articles = (0..<50).map {
        #"{"id":"p\#($0)","title":"T","author":{"id":"a\#($0)","name":"\#(name)"}}"#
      }
      return #"{"articles":[\#(articles.joined(separator: ","))]}"#
    }
    var feed = Feed()
    var options = options
    try feed.importJSON(source(page("Ann")), of: Article.self, options: options)
    options.onConflict = .error
    let error = #expect(throws: ImportProblems.self) {
      try feed.importJSON(source(page("Bea")), of: Article.self, options: options)
    }
    expectEqual(error?.problems.total, 50)
    let lines = try #require(error?.description).split(separator: "\n")
    expectTrue(lines.count == 12 && lines.last == "  … and 40 more")
    expectEqual(lines.first?.hasPrefix("error: 50 × conflict in writers: "), true, "\(lines)")
  }

  @Test("an envelope that is read as a record is refused with the path of the records")
  func envelope() {
    let report = Importer.importing([source(page1)], of: Article.self, into: Feed()).report
    expectEqual(
      report.problems.map(\.description),
      [
        "in.json: $: error: missingID: this record of articles has no \"id\"",
        "in.json: $: warning: typeMismatch: the only array of objects is $.articles; if it holds the "
          + "records, set the option at to JSONPath(\"$.articles\")",
      ])
  }

  @Test("an entity that recurs with the same bytes is merged each time")
  func repeated() throws {
    var feed = Feed()
    let author = { (name: String) in #""author": {"id": "a1", "name": "\#(name)"}"# }
    let articles = ["Ann", "Eve", "Ann"].enumerated().map {
      #"{"id": "p\#($0)", "title": "T", \#(author($1))}"#
    }
    var options = options
    options.at = nil
    let report = try feed.importJSON(
      source("[\(articles.joined(separator: ","))]"), of: Article.self,
      merging: .replace, MergePolicy<Writer>.replace, options: options)
    expectEqual(feed.writers.find(by: "a1")?.name, "Ann")
    expectTrue(report.inserted == 4 && report.updated == 2)
  }

  @Test("an entity type's own policy applies unless another is passed")
  func own() throws {
    var feed = Feed()
    let tags = source(#"[{"id": "t", "uses": 1}, {"id": "t", "uses": 2}]"#)
    try feed.importJSON(tags, of: Tag.self)
    expectEqual(feed.tags.find(by: "t")?.uses, 3)
    try feed.importJSON(tags, of: Tag.self, merging: .replace)
    expectEqual(feed.tags.find(by: "t")?.uses, 2)
    let tables = source(#"{"tags": [{"id": "t", "uses": 9}]}"#)
    let (kept, _) = Importer.importingTables(
      [tables], into: feed,
      options: TypedImportOptions(merging: MergePolicies(MergePolicy<Tag>.keep)))
    expectEqual(kept?.tags.find(by: "t")?.uses, 2)
  }

  @Test("a policy that changes the ID is a problem, and nothing is imported")
  func changedID() throws {
    var feed = try feed()
    let before = feed
    #expect {
      try feed.importJSON(
        source(page2), of: Article.self,
        merging: MergePolicy { Article(id: "x", title: $1.title, author: $0.author, isRead: true) },
        MergePolicy<Writer>.replace, options: options)
    } throws: { error in
      "\(error)".contains(
        "the merge policy of articles makes \"x\" of \"p1\"; a merge keeps the ID")
    }
    expectTrue(feed.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("defaults apply to missing members only")
  func defaults() throws {
    var options = TypedImportOptions()
    options.setDefault("Untitled", for: "title", of: Article.self)
    options.setDefault(Writer.EntityID("a0"), for: "author", of: Article.self)
    options.setDefault("no bio", for: "bio", of: Writer.self)
    options.setDefault("Nobody", for: "name", of: Writer.self)
    func problems(_ text: String, _ options: TypedImportOptions) -> [String] {
      Importer.importing([source(text)], of: Article.self, into: Feed(), options: options)
        .report.problems.map { "\($0.path): \($0.message)" }
    }
    expectEqual(
      problems(#"{"id": "p"}"#, options), ["$: this record of articles has no \"isRead\""])
    options.setDefault(1, for: "isRead", of: Article.self)
    expectEqual(
      problems(#"{"id": "p"}"#, options),
      [
        "$: there is no \"isRead\", and its default is of the type Int, not Bool"
      ])
    options.setDefault(true, for: "isRead", of: Article.self)
    expectEqual(
      problems(#"{"id": "p", "title": null}"#, options),
      [
        "$.title: expected a String, found null"
      ])
    let text = #"[{"id": "p"}, {"id": "q", "author": {"id": "a"}, "isRead": false}]"#
    let feed = Importer.importing([source(text)], of: Article.self, into: Feed(), options: options)
      .database
    expectEqual(
      feed?.articles.map { $0 },
      [
        Article(id: "p", title: "Untitled", author: "a0", isRead: true),
        Article(id: "q", title: "Untitled", author: "a", isRead: false),
      ])
    expectEqual(feed?.writers.map { $0 }, [Writer(id: "a", name: "Nobody", bio: "no bio")])
  }
}
