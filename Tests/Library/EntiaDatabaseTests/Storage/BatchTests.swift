import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Batches")
struct BatchTests {
  @Test("A batch is seen when it is committed, and reads inside it see its own writes")
  func writesAreSeen() throws {
    var library = try Library.sample()
    let count = try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cy"))
      context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
      expectEqual(context.modifying.authors.find(by: "a3")?.name, "Cy")
      expectEqual(context.modifying.books.find(by: "b1")?.title, "Uno")
      expectNil(context.current.authors.find(by: "a3"))
      expectEqual(context.changes.authors.inserted.map(\.id), ["a3"])
      expectEqual(context.changes.books.updated.map(\.old.title), ["One"])
      return context.modifying.authors.count
    }
    expectEqual(count, 3)
    expectEqual(library.books.find(by: "b1")?.title, "Uno")
    expectEqual(library.verify(), [])
  }

  @Test("Law 8: a throw at any point of a batch leaves the database as it was")
  func throwsLeaveNoTrace() throws {
    struct Oops: Error {}
    var library = try Library.sample()
    let before = library
    #expect(throws: Oops.self) {
      try library.performBatchUpdates { context in
        context.modifying.authors.remove("a1")
        throw Oops()
      }
    }
    expectEqual(library, before)
    expectTrue(library.snapshot.isIdentical(to: before.snapshot))
    let error = #expect(throws: BatchError.self) {
      try library.performBatchUpdates { context in
        context.modifying.authors.remove("a1")
        try context.abort()
      }
    }
    expectEqual(error?.description, "the batch was aborted")
    expectEqual(library, before)
  }

  @Test("Cascade and nullify happen at the remove, and reads see them")
  func deleteRules() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      expectEqual(context.modifying.authors.remove("a1")?.name, "Ann")
      expectEqual(context.modifying.books.allIDs(), ["b3"])
      expectEqual(context.modifying.shelves.find(by: 1)?.bookIDs, ["b3"])
    }
    expectEqual(library.verify(), [])
    expectEqual(library.books.count, 1)
  }

  @Test("Deny refuses the batch at its end and lists the holders")
  func denyRefuses() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 7, bookID: "b1")) }
    let before = library
    let error = #expect(throws: BatchError.self) {
      try library.performBatchUpdates { $0.modifying.authors.remove("a1") }
    }
    expectEqual(
      error?.description,
      "the batch was refused: Book b1 cannot be removed: it is referenced through loanBook "
        + "by Loan 7")
    expectEqual(library, before)
    try library.performBatchUpdates { context in
      context.modifying.authors.remove("a1")
      context.modifying.loans.remove(7)
    }
    expectEqual(library.verify(), [])
  }

  @Test("Law 11: a batch on an old version is refused")
  func staleBatch() throws {
    var library = try Library.sample()
    var batch = library.beginBatchUpdates()
    batch.modifying.authors.insert(Author(id: "a9", name: "Late"))
    try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a8", name: "First")) }
    let before = library
    do {
      try library.commitBatchUpdates(batch)
      Issue.record("a stale batch was committed")
    } catch let error as BatchError {
      expectEqual(
        error.description,
        "the batch began on an older version of Library; begin a new batch on the current "
          + "version")
    }
    expectEqual(library, before)
    var second = library.beginBatchUpdates()
    second.modifying.authors.insert(Author(id: "a9", name: "Late"))
    let report = try library.commitBatchUpdates(second)
    expectEqual(report.problems, [])
    expectEqual(report.changes.authors.inserted.map(\.id), ["a9"])
  }

  @Test("An update that changes the ID leaves the row alone and is listed")
  func changedID() throws {
    struct Renamable: EntityType {
      var entityID: EntityIdentifier<Renamable> { .init(name) }
      typealias EntityIDRawType = String
      var name: String
    }
    struct Storage: NormalizedStorageType {
      struct Contents: StorageContents {
        var rows = Tables.Hash<Renamable>()
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("rows", \.rows) }
      }
      var snapshot = Snapshot(Contents())
      var rows: Tables.Hash<Renamable> { snapshot.contents.rows }
    }
    var storage = Storage()
    storage.performBatchUpdates { $0.modifying.rows.insert(Renamable(name: "x")) }
    let problems = storage.performBatchUpdates { context in
      expectNil(context.modifying.rows.updateIfExists(id: "x") { $0.name = "y" })
      return context.problems
    }
    expectEqual(
      problems.map(\.description),
      [
        "an update of Renamable x changed its ID to y; the row was left unchanged"
      ])
    expectEqual(storage.rows.allIDs(), ["x"])
    let error = #expect(throws: TableError.self) {
      try storage.performBatchUpdates { context in
        try context.modifying.rows.updateExists(id: "nope") { $0.name = "z" }
      }
    }
    expectEqual(error?.description, "there is no Renamable nope")
  }

  @Test("The description of a denied removal lists up to five holders")
  func deniedRemovals() {
    let loans = (1...7).map { EntityLabel(Loan.EntityID($0)) }
    let refusal = BatchError.refused([
      .deniedDelete(
        EntityLabel(Book.EntityID("b1")), relationship: "loanBook", holders: Array(loans.prefix(1))),
      .deniedDelete(
        EntityLabel(Book.EntityID("b2")), relationship: "loanBook", holders: loans),
    ])
    expectEqual(
      refusal.description,
      """
      the batch was refused: Book b1 cannot be removed: it is referenced through loanBook by \
      Loan 1; Book b2 cannot be removed: it is referenced through loanBook by Loan 1, Loan 2, \
      Loan 3, Loan 4, Loan 5 and 2 more
      """)
  }

  @Test("The descriptions of an aborted batch and of an ignored change")
  func descriptions() {
    expectEqual(BatchError.aborted.description, "the batch was aborted")
    let problem = BatchProblem.changedID(
      EntityLabel(Book.EntityID("b1")), to: EntityLabel(Book.EntityID("b2")))
    expectEqual(
      problem.description, "an update of Book b1 changed its ID to b2; the row was left unchanged")
  }
}
