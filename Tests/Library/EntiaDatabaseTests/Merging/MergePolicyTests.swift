import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

struct Article: EntityType, Identifiable {
  var id: Int
  var title = ""
  var body: String?
  var cover: String?
  var version = 0
}

extension Article: MergingEntityType {
  static var mergePolicy: MergePolicy<Article> { .fillingMissing(\.body, \.cover) }
}

struct Press: NormalizedStorageType {
  struct Contents: StorageContents {
    var articles = Tables.Hash<Article>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("articles", \.articles)
    }
  }

  var snapshot = Snapshot(Contents())
  var articles: Tables.Hash<Article> { snapshot.contents.articles }

  init() {}

  init(_ articles: Article...) {
    performBatchUpdates { _ = $0.modifying.articles.insert(articles) }
  }
}

@Suite("Merge policies")
struct MergePolicyTests {
  let detail = Article(id: 1, title: "Old", body: "Long", cover: "c", version: 3)
  let listed = Article(id: 1, title: "New", version: 2)

  private func merged(_ incoming: Article, _ policy: MergePolicy<Article>) -> Article? {
    var press = Press(detail)
    press.performBatchUpdates { context in
      let result = context.modifying.articles.insert(incoming, merging: policy)
      expectEqual(result.entity, context.modifying.articles.find(by: 1))
    }
    return press.articles.find(by: 1)
  }

  @Test("Each built-in policy takes and keeps the documented fields")
  func policies() {
    expectEqual(merged(listed, .replace), listed)
    expectEqual(merged(listed, .keep), detail)
    var expected = detail
    expected.title = "New"
    expectEqual(merged(listed, .fields(\.title)), expected)
    expected.version = 2
    expectEqual(merged(listed, .fields(\.title, \.version)), expected)
    expectEqual(merged(listed, .keeping(\.body, \.cover)), expected)
    expectEqual(merged(listed, .fillingMissing(\.body, \.cover)), expected)
    expected.cover = nil
    expectEqual(merged(listed, .fillingMissing(\.body)), expected)
    expectEqual(merged(listed, MergePolicy { old, _ in old }), detail)
  }

  @Test("A payload that is older by a field is passed over; one as new counts")
  func newer() {
    expectEqual(merged(listed, .newer(by: \.version)), detail)
    var same = listed
    same.version = 3
    expectEqual(merged(same, .newer(by: \.version)), same)
    let filled = merged(same, .newer(by: \.version, merging: .fillingMissing(\.body)))
    expectTrue(filled?.body == "Long" && filled?.cover == nil && filled?.title == "New")
  }

  @Test("Several payloads of one ID in a batch all count, and a list does not erase details")
  func several() {
    var press = Press()
    press.performBatchUpdates { context in
      let results = context.modifying.articles.merge([
        Article(id: 1, title: "One", body: "Long"), Article(id: 1, title: "Uno"),
        Article(id: 2, title: "Two"), Article(id: 1, title: "Uno", cover: "c"),
      ])
      expectEqual(
        results.map(\.outcome),
        [
          .inserted, .replaced(Article(id: 1, title: "One", body: "Long")), .inserted,
          .replaced(Article(id: 1, title: "Uno", body: "Long")),
        ])
      let again = context.modifying.articles.merge(Article(id: 1, title: "Uno"))
      expectEqual(again.outcome, .unchanged)
    }
    expectEqual(
      press.articles.allEntities(),
      [
        Article(id: 1, title: "Uno", body: "Long", cover: "c"), Article(id: 2, title: "Two"),
      ])
  }

  @Test("A policy that changes the ID leaves the row as it was, and the batch hears of it")
  func changedID() {
    var press = Press(detail)
    let problems = press.performBatchUpdates { context in
      let result = context.modifying.articles.insert(
        listed,
        merging: MergePolicy { old, _ in
          var other = old
          other.id = 9
          return other
        })
      expectTrue(result.outcome == .unchanged && result.entity == detail)
      return context.problems
    }
    expectEqual(
      problems.map(\.description),
      [
        "an update of Article 1 changed its ID to 9; the row was left unchanged"
      ])
    expectEqual(press.articles.allEntities(), [detail])
  }

  @Test("Relationships follow the stored row, not the payload")
  func relationships() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      _ = context.modifying.books.insert(
        Book(rawID: "b1", title: "Uno", authorID: "a2"), merging: .fields(\.title))
    }
    expectEqual(library.snapshot.contents.bookAuthor.holderIDs(of: "a2"), ["b3"])
    expectEqual(library.books.find(by: "b1")?.title, "Uno")
    expectEqual(library.verify(), [])
  }
}
