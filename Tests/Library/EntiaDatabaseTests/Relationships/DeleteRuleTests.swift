import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
  @Test("Nullify touches exactly the referrers, and of a list only the mentions")
  func nullifyIsExact() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.shelves.insert([
        Shelf(id: 2, bookIDs: ["b2", "b3", "b2", "b9"]), Shelf(id: 3, bookIDs: ["b3"]),
      ])
    }
    let before = library
    try library.performBatchUpdates { $0.modifying.books.remove("b2") }
    let changes = library.changes(since: before)
    expectEqual(changes.books.removed.map(\.rawID), ["b2"])
    expectEqual(changes.books.updated.map(\.new), [Book(rawID: "b1", title: "One", authorID: "a1")])
    expectEqual(changes.shelves.updated.map(\.new.bookIDs), [["b3", "b1"], ["b3", "b9"]])
    expectTrue(changes.authors.isEmpty && changes.count == 4)
  }

  @Test("The order of deletes in a batch does not matter, even where one is denied alone")
  func orderOfDeletes() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 7, bookID: "b1")) }
    let deletes: [(inout BatchContext<Library>) -> Void] = [
      { $0.modifying.authors.remove("a1") }, { $0.modifying.loans.remove(7) },
      { $0.modifying.shelves.remove(1) }, { $0.modifying.books.remove("b2") },
    ]
    var results: [Library] = []
    for first in deletes.indices {
      var copy = library
      try copy.performBatchUpdates { context in
        for offset in deletes.indices { deletes[(first + offset) % deletes.count](&context) }
      }
      results.append(copy)
    }
    expectTrue(results.allSatisfy { $0 == results[0] && $0.verify() == [] })
    expectEqual(results[0].books.map(\.rawID), ["b3"])
  }

  @Test("A target that is inserted again in the same batch never dangled")
  func removedAndBack() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 7, bookID: "b3")) }
    let before = library
    try library.performBatchUpdates { context in
      let book = context.modifying.books.remove("b3")
      expectEqual(context.changes.books.removed.map(\.rawID), ["b3"])
      if let book { context.modifying.books.insert(book) }
    }
    expectTrue(library.changes(since: before).loans.isEmpty)
    expectTrue(library.changes(since: before).books.isEmpty)
    expectEqual(library.snapshot.contents.loanBook.holderIDs(of: "b3"), [7])
  }
}
