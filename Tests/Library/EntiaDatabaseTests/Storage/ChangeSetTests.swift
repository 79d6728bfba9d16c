import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Change sets")
struct ChangeSetTests {
  @Test("Law 3: changes apply where a denied delete was healed by a later batch")
  func appliesOverDenials() throws {
    let old = try Library.sample()
    var new = old
    try new.performBatchUpdates { $0.modifying.books.remove("b3") }
    // A key that leads nowhere may be written; taking `b3` away under it may not.
    try new.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 1, bookID: "b3")) }
    let changes = new.changes(since: old)
    var applied = old
    try applied.apply(changes)
    expectEqual(applied, new)
    expectEqual(applied.verify(), new.verify())
    try applied.apply(changes.inverted)
    expectEqual(applied, old)
  }

  @Test("A change set that cannot be applied lists every row and leaves the database unchanged")
  func conflicts() throws {
    let old = try Library.sample()
    var new = old
    try new.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cy"))
      context.modifying.authors.updateIfExists(id: "a2") { $0.name = "Bo" }
      context.modifying.shelves.remove(1)
    }
    var other = old
    try other.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Dee"))
      context.modifying.authors.updateIfExists(id: "a2") { $0.name = "Ben" }
      context.modifying.shelves.insert(Shelf(id: 1, bookIDs: []))
    }
    let before = other
    let changes = new.changes(since: old)
    let error = #expect(throws: ChangeSetError.self) { try other.apply(changes) }
    expectEqual(
      error?.description,
      """
      the change set cannot be applied: Author a2 differs from the row that the change set \
      starts from; \
      Author a3 cannot be inserted because its ID is in use; \
      Shelf 1 differs from the row that the change set starts from
      """)
    expectTrue(other.snapshot.isIdentical(to: before.snapshot))
    var empty = Library()
    let missing = #expect(throws: ChangeSetError.self) { try empty.apply(changes) }
    expectEqual(
      missing?.description,
      "the change set cannot be applied: Author a2 cannot be changed because it does not "
        + "exist")
    expectEqual(empty, Library())
  }

  @Test("Applying twice changes nothing more")
  func appliesOnce() throws {
    let library = try Library.sample()
    var copy = Library()
    let changes = library.changes(since: copy)
    try copy.apply(changes)
    try copy.apply(changes)
    expectEqual(copy, library)
    expectEqual(copy.verify(), [])
  }

  @Test("The description of a change set counts changes by kind and omits unchanged tables")
  func descriptions() throws {
    let old = try Library.sample()
    var new = old
    expectEqual(new.changes(since: old).description, "no changes")
    expectEqual(Library.ChangeSet(), new.changes(since: old))
    try new.performBatchUpdates { context in
      context.modifying.authors.remove("a1")
      context.modifying.authors.insert(Author(id: "a2", name: "Bob"))
    }
    let changes = new.changes(since: old)
    expectEqual(changes.summary, "Author: 1 removed\nBook: 2 removed\nShelf: 1 updated")
    expectEqual(changes.count, 4)
    expectTrue(changes.loans.isEmpty)
    expectEqual(changes.loans.summary, "Loan: no changes")
    expectEqual(changes.books.removed.map(\.rawID), ["b1", "b2"])
    expectEqual(changes.shelves.updated.map(\.new.bookIDs), [["b3"]])
    expectEqual(changes.shelves.updated.first?.entityID, 1)
    expectTrue(changes != changes.inverted)
    expectEqual(changes.inverted.inverted, changes)
  }
}
