import EntiaCollections
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("References that an applied change set or a merge would leave dangling")
struct AppliedReferenceTests {
  private func refusal(of changes: Library.ChangeSet, on target: Library) -> String? {
    var copy = target
    let error = #expect(throws: ChangeSetError.self) { try copy.apply(changes) }
    expectTrue(copy.snapshot.isIdentical(to: target.snapshot))
    return error?.description
  }

  @Test("A plan is not applied after a row began to reference an entity that it deletes")
  func plans() throws {
    let base = try Library.sample()
    let plan = base.plan(deleting: Author.EntityID("a2"))
    expectTrue(plan.isAllowed)
    var exact = base
    try exact.apply(plan.changes)
    expectTrue(exact.authors.find(by: "a2") == nil && exact.verify() == [])
    var other = base
    try other.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b9", title: "Nine", authorID: "a2"))
    }
    expectEqual(
      refusal(of: plan.changes, on: other),
      "the change set cannot be applied: Book b9: bookAuthor would reference Author a2, "
        + "which does not exist")
  }

  @Test("The changes of a plan that is not allowed are refused where they were planned, too")
  func deniedPlan() throws {
    let base = try Library.sample()
    var library = base
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 7, bookID: "b3")) }
    let plan = library.plan(deleting: Book.EntityID("b3"))
    expectFalse(plan.isAllowed)
    expectEqual(
      refusal(of: plan.changes, on: library),
      "the change set cannot be applied: Loan 7: loanBook would reference Book b3, which "
        + "does not exist")
  }

  @Test("A row is not inserted after its target has been removed")
  func insertions() throws {
    let base = try Library.sample()
    var (mine, theirs) = (base, base)
    try mine.performBatchUpdates { $0.modifying.books.remove("b3") }
    try theirs.performBatchUpdates { context in
      context.modifying.loans.insert(Loan(id: 7, bookID: "b3"))
      context.modifying.books.updateIfExists(id: "b1") { $0.sequelID = "b3" }
    }
    expectEqual(
      refusal(of: theirs.changes(since: base), on: mine),
      """
      the change set cannot be applied: Book b1: bookSequel would reference Book b3, which does \
      not exist; \
      Loan 7: loanBook would reference Book b3, which does not exist
      """)
  }

  @Test("A reference that dangles in the change set's own versions is applied and reverted")
  func knownDangling() throws {
    let base = try Library.sample()
    var next = base
    try next.performBatchUpdates { context in
      context.modifying.loans.insert(Loan(id: 7, bookID: "b9"))
      context.modifying.books.updateIfExists(id: "b1") { $0.sequelID = "b8" }
    }
    var last = next
    try last.performBatchUpdates { context in
      context.modifying.loans.insert(Loan(id: 7, bookID: "b3"))
      context.modifying.books.insert(Book(rawID: "b8", title: "Eight", authorID: "a1"))
    }
    for (old, new) in [(base, next), (next, last), (base, last), (last, base), (last, next)] {
      var copy = old
      try copy.apply(new.changes(since: old))
      expectTrue(copy == new && copy.verify() == new.verify())
      try copy.apply(new.changes(since: old).inverted)
      expectTrue(copy == old && copy.verify() == old.verify())
    }
    let composed = next.changes(since: base).composed(with: last.changes(since: next))
    var copy = base
    try copy.apply(composed)
    expectEqual(copy, last)
    try copy.apply(composed.inverted)
    expectEqual(copy, base)
  }

  @Test("An ID is not held whose entity has been removed")
  func heldIDs() throws {
    let base = try Feed.sample()
    var (mine, theirs) = (base, base)
    try theirs.performBatchUpdates { context in
      context.modifying.favorites.append(4)
      context.modifying.unread.insert(3)
    }
    try mine.performBatchUpdates { $0.modifying.posts.remove(4) }
    let before = mine
    let changes = theirs.changes(since: base)
    let error = #expect(throws: ChangeSetError.self) { try mine.apply(changes) }
    expectEqual(
      error?.description,
      "the change set cannot be applied: favorites would hold Post 4, which does not exist")
    expectTrue(mine.snapshot.isIdentical(to: before.snapshot))
    let merged = try mine.merging(theirs, base: base).storage
    expectTrue(merged.favorites.ids() == [3, 1, 2] && merged.unread.ids() == [2, 3])
    expectEqual(merged.verify(), [])
  }

  @Test("Held IDs of another version are inserted and removed one by one, beside their neighbors")
  func heldIDsOfAnotherVersion() throws {
    let base = try Feed.sample()
    var (one, other) = (base, base)
    try one.performBatchUpdates { context in
      context.modifying.favorites.remove(1)
      context.modifying.favorites.insert(4, at: 0)
      context.modifying.unread.remove(2)
    }
    try other.performBatchUpdates { context in
      context.modifying.favorites.remove(2)
      context.modifying.unread.insert(1)
    }
    let changes = one.changes(since: base)
    try other.apply(changes)
    expectTrue(other.favorites.ids() == [4, 3] && other.unread.ids() == [1])
    try other.apply(changes.inverted)
    expectTrue(other.favorites.ids() == [3, 1] && Set(other.unread.ids()) == [1, 2])
  }
}
