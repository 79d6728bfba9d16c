import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("Three-way merges")
struct ThreeWayMergeTests {
  /// The sample library, changed in two ways.
  func forks(
    _ mine: (inout BatchContext<Library>) -> Void, _ theirs: (inout BatchContext<Library>) -> Void
  ) throws -> (base: Library, mine: Library, theirs: Library) {
    let base = try Library.sample()
    var (first, second) = (base, base)
    try first.performBatchUpdates(mine)
    try second.performBatchUpdates(theirs)
    return (base, first, second)
  }

  @Test("Edits of different rows all count, and equal edits are no conflict")
  func disjoint() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
        context.modifying.authors.insert(Author(id: "a3", name: "Cid"))
        context.modifying.authors.updateIfExists(id: "a1") { $0.name = "Anna" }
      },
      { context in
        context.modifying.books.updateIfExists(id: "b2") { $0.title = "Due" }
        context.modifying.books.remove("b3")
        context.modifying.authors.updateIfExists(id: "a1") { $0.name = "Anna" }
      })
    let result = try mine.merging(theirs, base: base)
    expectEqual(result.conflicts, [])
    expectEqual(result.storage.books.map(\.title), ["Uno", "Due"])
    expectEqual(result.storage.authors.map(\.name), ["Anna", "Bob", "Cid"])
    expectEqual(result.storage.verify(), [])
    try expectEqual(theirs.merging(mine, base: base).storage, result.storage)
  }

  @Test("Every conflict that nothing resolves is thrown, with its fields, and nothing is merged")
  func conflicts() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.books.updateIfExists(id: "b1") {
          $0.title = "Uno"
          $0.sequelID = nil
        }
        context.modifying.books.updateIfExists(id: "b2") { $0.title = "Due" }
        context.modifying.books.remove("b3")
        context.modifying.authors.insert(Author(id: "a3", name: "Cid"))
      },
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Un" }
        context.modifying.books.updateIfExists(id: "b2") { $0.sequelID = "b3" }
        context.modifying.books.updateIfExists(id: "b3") { $0.title = "Tre" }
        context.modifying.authors.insert(Author(id: "a3", name: "Eva"))
      })
    let error = #expect(throws: MergeError.self) { try mine.merging(theirs, base: base) }
    expectEqual(
      error?.description,
      """
      the versions cannot be merged: Author a3 was inserted by both (name: mine "Cid", theirs \
      "Eva"): nothing is merged; Book b1 was edited by both (title: base "One", mine "Uno", \
      theirs "Un"): nothing is merged; Book b3 was removed in mine and edited in theirs: nothing is merged
      """)
    let other = #expect(throws: MergeError.self) { try theirs.merging(mine, base: base) }
    expectEqual(other?.conflicts.map(\.reason), [.insertedTwice, .removedInTheirs, .edited])
  }

  @Test("Conflicts are resolved by side or by a closure, and reported with their outcomes")
  func resolutions() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
        context.modifying.books.remove("b3")
        context.modifying.authors.updateIfExists(id: "a1") { $0.name = "A" }
      },
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Un" }
        context.modifying.books.updateIfExists(id: "b3") { $0.title = "Tre" }
        context.modifying.authors.updateIfExists(id: "a1") { $0.name = "B" }
      })
    let kept = try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: .mine))
    expectTrue(kept.storage == mine && kept.conflicts.map(\.outcome) == [.mine, .mine, .mine])
    let taken = try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: .theirs))
    expectEqual(taken.conflicts.map(\.outcome), [.theirs, .theirs, .theirs])
    expectTrue(taken.storage.books == theirs.books && taken.storage.authors == theirs.authors)
    // The shelf, which only mine changed, has forgotten the book that came back.
    expectEqual(taken.storage.shelves, mine.shelves)
    var merge = ThreeWayMerge<Library>(otherwise: .mine)
    merge.resolve(Book.self) { conflict in
      guard var book = conflict.mine, let theirs = conflict.theirs else { return .theirs }
      book.title += "/" + theirs.title
      return .entity(book)
    }
    let result = try mine.merging(theirs, base: base, by: merge)
    expectEqual(result.storage.books.map(\.title).sorted(), ["Tre", "Two", "Uno/Un"])
    expectEqual(result.storage.authors.find(by: "a1")?.name, "A")
    expectEqual(result.conflicts.map(\.outcome), [.mine, .other, .theirs])
    expectEqual(
      result.conflicts.last?.description,
      "Book b3 was removed in mine and edited in theirs: theirs is taken")
  }

  @Test("Edits of different listed fields of one row both count; others are conflicts still")
  func fields() throws {
    var merge = ThreeWayMerge<Press>()
    merge.mergeFields(of: Article.self, \.title, \.body)
    let base = Press(Article(id: 1, title: "t", body: "b", cover: "c"))
    func merged(
      _ mine: (inout Article) -> Void, _ theirs: (inout Article) -> Void
    ) throws -> Article? {
      var (first, second) = (base, base)
      first.performBatchUpdates { _ = $0.modifying.articles.updateIfExists(id: 1, mine) }
      second.performBatchUpdates { _ = $0.modifying.articles.updateIfExists(id: 1, theirs) }
      let result = try first.merging(second, base: base, by: merge).storage
      try expectEqual(second.merging(first, base: base, by: merge).storage, result)
      return result.articles.find(by: 1)
    }
    try expectEqual(
      merged({ $0.title = "T" }, { $0.body = nil }), Article(id: 1, title: "T", cover: "c"))
    try expectEqual(
      merged({ $0.title = "T" }, { $0.cover = "C" }),
      Article(id: 1, title: "T", body: "b", cover: "C"))
    try expectEqual(
      merged({ ($0.title, $0.cover) = ("T", "C") }, { ($0.body, $0.cover) = ("B", "C") }),
      Article(id: 1, title: "T", body: "B", cover: "C"))
    let same = #expect(throws: MergeError.self) {
      try merged({ ($0.title, $0.body) = ("T", "B") }, { $0.title = "U" })
    }
    expectEqual(same?.conflicts.first?.fields.map(\.name), ["title"])
    #expect(throws: MergeError.self) { try merged({ $0.version = 1 }, { $0.cover = "C" }) }
  }

  @Test("Forks of random histories: alone each gives itself, and equal ones agree")
  func identities() throws {
    try eachFork(StudioSubject<Nullifying>.self)
    try eachFork(StudioSubject<Cascading>.self)
    try eachFork(StudioSubject<Denying>.self)
  }

  private func eachFork<Subject: LawSubject>(_ subject: Subject.Type) throws {
    for seed in LawRuns(count: 2, steps: 6, corpus: [5]).seeds {
      var random = SeededGenerator(seed: seed)
      var base = Subject.makeStorage()
      advance(&base, subject, &random, batches: 8)
      var (mine, theirs) = (base, base)
      advance(&mine, subject, &random, batches: 2)
      advance(&theirs, subject, &random, batches: 2)
      try expectEqual(mine.merging(base, base: base).storage, mine, "seed \(seed)")
      try expectEqual(base.merging(mine, base: base).storage, mine, "seed \(seed)")
      let same = try mine.merging(mine, base: base)
      expectTrue(same.storage == mine && same.conflicts == [], "seed \(seed)")
      let forward = outcome { try mine.merging(theirs, base: base) }
      let backward = outcome { try theirs.merging(mine, base: base) }
      // Without conflicts the sides are equal, and the result keeps the rules that each side kept.
      switch (forward, backward) {
      case (let forward?, let backward?):
        expectEqual(forward.storage, backward.storage, "seed \(seed)")
        let issues = Set(forward.storage.verify())
        let known = Set(mine.verify() + theirs.verify())
        expectTrue(issues.isSubset(of: known), "seed \(seed)")
      case (nil, nil): break
      default: Issue.record("seed \(seed): refused one way only")
      }
    }
  }

  private func outcome<Storage>(
    _ merge: () throws -> MergeResult<Storage>
  ) -> MergeResult<Storage>? {
    do { return try merge() } catch { return nil }
  }

  private func advance<Subject: LawSubject>(
    _ storage: inout Subject.Storage, _ subject: Subject.Type, _ random: inout SeededGenerator,
    batches: Int
  ) {
    for _ in 0..<batches {
      do {
        try storage.performBatchUpdates { context in
          for _ in 0..<2 { try Subject.edit(&context, using: &random) }
        }
      } catch {
        // A refused batch is part of the history too.
      }
    }
  }

  @Test("Disjoint edits of many rows merge to both, in work that follows the changes")
  func bounded() throws {
    func nodes(rows: Int) throws -> Int {
      var base = Press()
      base.performBatchUpdates { context in
        _ = context.modifying.articles.insert((0..<rows).map { Article(id: $0) })
      }
      var (mine, theirs) = (base, base)
      mine.performBatchUpdates { context in
        for id in 0..<10 {
          context.modifying.articles.updateIfExists(id: .init(id)) { $0.title = "mine" }
        }
      }
      theirs.performBatchUpdates { context in
        for id in 10..<20 {
          context.modifying.articles.updateIfExists(id: .init(id)) { $0.title = "theirs" }
        }
      }
      var result: Press?
      let work = try TableWork.counting {
        result = try mine.merging(theirs, base: base).storage
      }
      let titles = result?.articles.prefix(21).map(\.title) ?? []
      expectTrue(Set(titles[..<10]) == ["mine"] && Set(titles[10..<20]) == ["theirs"])
      expectEqual(titles[20], "")
      return work.copiedNodes + work.visitedNodes
    }
    let small = try nodes(rows: 500)
    let large = try nodes(rows: 32_000)
    expectTrue(small > 0 && large <= small + 40)
  }
}
