import EntiaDatabase
import EntiaTestDomains
import Testing

@Suite("Denied deletes")
struct DenialTests {
  @Test("Law 9: a key written after the removal only dangles, in one batch as in two")
  func writtenLater() throws {
    let start = try Library.sample()
    var two = start
    try two.performBatchUpdates { $0.modifying.books.remove("b3") }
    try two.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 1, bookID: "b3")) }
    var one = start
    try one.performBatchUpdates { context in
      context.modifying.books.remove("b3")
      context.modifying.loans.insert(Loan(id: 1, bookID: "b3"))
    }
    #expect(one == two)
  }

  @Test("Law 9: a denial is resolved when the last holder is removed, whatever is written later")
  func settled() throws {
    var start = try Library.sample()
    try start.performBatchUpdates { context in
      context.modifying.loans.insert([Loan(id: 1, bookID: "b3"), Loan(id: 2, bookID: "b3")])
    }
    let steps: [(inout BatchContext<Library>) -> Void] = [
      { context in
        context.modifying.books.remove("b3")
        context.modifying.loans.remove(1)
        context.modifying.loans.insert(Loan(id: 2, bookID: "b2"))
      },
      { $0.modifying.loans.insert(Loan(id: 2, bookID: "b3")) },
    ]
    var two = start
    for step in steps { try two.performBatchUpdates(step) }
    var one = start
    try one.performBatchUpdates { context in
      for step in steps { step(&context) }
    }
    #expect(one == two)
    // With one holder left all the time it is denied, and everyone who names it then is named.
    let error = #expect(throws: BatchError.self) {
      try start.performBatchUpdates { context in
        context.modifying.books.remove("b3")
        context.modifying.loans.remove(1)
        context.modifying.loans.insert(Loan(id: 3, bookID: "b3"))
      }
    }
    #expect(
      error?.description
        == "the batch was refused: Book b3 cannot be removed: it is referenced through loanBook "
        + "by Loan 2, Loan 3")
  }

  @Test("DeniedDeletions are listed in the order of the removals, each once")
  func listedOnce() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.loans.insert([Loan(id: 1, bookID: "b1"), Loan(id: 2, bookID: "b3")])
    }
    let error = #expect(throws: BatchError.self) {
      try library.performBatchUpdates { context in
        guard let book = context.modifying.books.remove("b3") else { return }
        context.modifying.books.remove("b1")
        context.modifying.books.insert(book)
        context.modifying.books.remove("b3")
      }
    }
    #expect(
      error?.description == """
        the batch was refused: Book b3 cannot be removed: it is referenced through loanBook by \
        Loan 2; Book b1 cannot be removed: it is referenced through loanBook by Loan 1
        """)
  }

  @Test("A target inserted and removed in one batch is denied like any other")
  func insertedAndRemoved() throws {
    var library = try Library.sample()
    let before = library
    let error = #expect(throws: BatchError.self) {
      try library.performBatchUpdates { context in
        context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a1"))
        context.modifying.loans.insert(Loan(id: 9, bookID: "b9"))
        context.modifying.books.remove("b9")
      }
    }
    #expect(
      error?.description
        == "the batch was refused: Book b9 cannot be removed: it is referenced through loanBook "
        + "by Loan 9")
    #expect(library == before)
  }

  @Test("Law 15: the order of deletes does not matter, nor a removed and re-inserted target")
  func orders() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 1, bookID: "b3")) }
    var first = library
    try first.performBatchUpdates { context in
      context.modifying.books.remove("b3")
      context.modifying.loans.remove(1)
    }
    var second = library
    try second.performBatchUpdates { context in
      context.modifying.loans.remove(1)
      context.modifying.books.remove("b3")
    }
    #expect(first == second)
    try library.performBatchUpdates { context in
      let book = context.modifying.books.remove("b3")
      if let book { context.modifying.books.insert(book) }
    }
    #expect(library.verify() == [])
  }
}

@Suite("Denied removals of several entities together")
struct JointDenialTests {
  @Test(
    "Law 9: rows removed together deny nothing, even when a later row references one of them")
  func together() throws {
    var chain = Chain(.deny, [nil, 0])
    try chain.performBatchUpdates { context in
      context.modifying.links.remove([0, 1])
      context.modifying.links.insert(Link(id: 2, next: 0))
    }
    #expect(
      chain.verify().map(\.description) == ["Link 2: next references Link 0, which does not exist"])
  }
}

@Suite("Editors")
struct EditorTests {
  @Test("An update whose closure removes the row stores nothing and links nothing")
  func removedInside() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      var books = context.modifying.books
      var others = context.modifying.books
      let updated = books.updateIfExists(id: "b3") { book in
        others.remove("b3")
        book.authorID = "a1"
      }
      #expect(updated == nil)
      #expect(throws: TableError.notFound(EntityLabel(Book.EntityID("b2")))) {
        try books.updateExists(id: "b2") { book in
          others.remove("b2")
          book.authorID = "a2"
        }
      }
    }
    #expect(library.books.allIDs() == ["b1"])
    #expect(library.verify() == [])
  }

  @Test("The report of a begun batch has its problems")
  func problemsAreReported() throws {
    var library = try Library.sample()
    var batch = library.beginBatchUpdates()
    batch.modifying.shelves.updateIfExists(id: 1) { $0 = Shelf(id: 2, bookIDs: []) }
    let report = try library.commitBatchUpdates(batch)
    #expect(report.changes.isEmpty)
    #expect(
      report.problems.map(\.description) == [
        "an update of Shelf 1 changed its ID to 2; the row was left unchanged"
      ])
  }
}
