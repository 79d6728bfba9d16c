import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Deletion plans")
struct DeletionPlanTests {
  @Test("A plan lists removals in order with their reasons, nullified keys, refusals and misses")
  func description() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.loans.insert([Loan(id: 7, bookID: "b1"), Loan(id: 8, bookID: "b1")])
    }
    let plan = library.plan(deleting: ["a1", "a9"] as [Author.EntityID])
    expectEqual(
      plan.description,
      """
      removes 3:
        Author a1
        Book b1, whose bookAuthor references Author a1
        Book b2, whose bookAuthor references Author a1
      nullifies 1:
        shelfBooks of Shelf 1 loses Book b1, Book b2
      is refused 1:
        Book b1 cannot be removed: it is referenced through loanBook by Loan 7, Loan 8
      missing 1:
        Author a9
      """)
    expectFalse(plan.isAllowed)
    expectEqual(plan.changes.books.removed.map(\.rawID), ["b1", "b2"])
    expectEqual(plan.changes.shelves.updated.map(\.new.bookIDs), [["b3"]])
    expectEqual(library.plan(deleting: Shelf.EntityID(9)).description, "missing 1:\n  Shelf 9")
    for repeated in [["a1", "a9", "a1", "a9"], ["a9", "a1", "a1"]] as [[Author.EntityID]] {
      expectEqual(library.plan(deleting: repeated), plan)
    }
    expectEqual(library.plan(deleting: [] as [Shelf.EntityID]).description, "removes nothing")
  }

  @Test("In a batch, a plan includes the batch's changes and changes nothing itself")
  func inBatch() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a2"))
      context.modifying.books.remove("b3")
      let before = context.changes
      let plan = context.pending.plan(deleting: Author.EntityID("a2"))
      expectEqual(plan.removals.map(\.entity.description), ["Author a2", "Book b4"])
      expectEqual(
        plan.removals.last?.cause,
        .references(.init(Author.EntityID("a2")), relationship: "bookAuthor"))
      expectEqual(plan.changes.books.removed.map(\.rawID), ["b4"])
      expectEqual(context.changes, before)
    }
    expectTrue(library.authors.contains("a2"))
  }

  @Test(
    "A batch removes the rows of a plan, with a copy of the database alive and without",
    arguments: [false, true])
  func removal(isShared: Bool) throws {
    var library = try Library.sample()
    let plan = library.plan(deleting: Author.EntityID("a1"))
    // Other rows may change meanwhile, and rows of the plan may be gone.
    try library.performBatchUpdates { context in
      context.modifying.authors.updateIfExists(id: "a2") { $0.name = "Bea" }
      context.modifying.books.remove("b2")
    }
    let copy = isShared ? library : nil
    try library.performBatchUpdates { try $0.remove(plan) }
    expectEqual(library.authors.allIDs(), ["a2"])
    expectEqual(library.books.allIDs(), ["b3"])
    expectEqual(library.shelves.find(by: 1)?.bookIDs, ["b3"])
    expectEqual(library.verify(), [])
    if let copy { expectEqual(copy.books.allIDs(), ["b1", "b3"]) }
  }

  @Test("A plan is refused when its removal has further effects, and nothing is removed")
  func stale() throws {
    var library = try Library.sample()
    let plan = library.plan(deleting: Author.EntityID("a1"))
    try library.performBatchUpdates { context in
      context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a1"))
      context.modifying.shelves.insert(Shelf(id: 2, bookIDs: ["b1"]))
    }
    let before = library
    let error = #expect(throws: DeletionError.self) {
      try library.performBatchUpdates { try $0.remove(plan) }
    }
    expectEqual(
      error?.description,
      """
      the deletion was planned for another version of Library and does not list this: \
      removes Book b4, whose bookAuthor references Author a1; \
      shelfBooks of Shelf 2 loses Book b1; create a new plan
      """)
    expectEqual(library, before)
  }

  @Test("A rule that denies a removal of a plan refuses the batch")
  func denied() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { $0.modifying.loans.insert(Loan(id: 7, bookID: "b1")) }
    let plan = library.plan(deleting: Author.EntityID("a1"))
    let before = library
    #expect(throws: BatchError.self) {
      try library.performBatchUpdates { try $0.remove(plan) }
    }
    expectEqual(library, before)
    try library.performBatchUpdates { context in
      try context.remove(plan)
      context.modifying.loans.remove(7)
    }
    expectTrue(library.loans.isEmpty && library.authors.allIDs() == ["a2"])
  }

  @Test("A plan lists a key that would reference too few entities")
  func limits() throws {
    var studio = Studio(.nullify, related: .atLeast(1))
    try studio.performBatchUpdates { context in
      context.modifying.folders.insert([
        Folder(id: 1, relatedIDs: [2]), Folder(id: 2, relatedIDs: [1, 2]),
      ])
    }
    expectEqual(
      studio.plan(deleting: Folder.EntityID(2)).violations.map(\.description),
      ["Folder 1: folderRelated references 0, but must reference at least 1"])
    expectTrue(studio.plan(deleting: [1, 2] as [Folder.EntityID]).isAllowed)
  }

  @Test("A plan lists exactly the effects of the removal, under every rule")
  func plansAreTrue() throws {
    try requireTruePlans(StudioSubject<Cascading>.self)
    try requireTruePlans(StudioSubject<Nullifying>.self)
    try requireTruePlans(StudioSubject<Denying>.self)
    try requireTruePlans(StudioSubject<Limiting>.self)
    try requireTruePlans(StudioSubject<Dangling>.self)
  }

  private func requireTruePlans<Subject: LawSubject>(
    _ subject: Subject.Type
  ) throws where Subject.Storage == Studio {
    for seed in LawRuns(count: 2, steps: 10, corpus: [5]).seeds {
      var random = SeededGenerator(seed: seed)
      var studio = Subject.makeStorage()
      for step in 0..<15 {
        do {
          try studio.performBatchUpdates { context in
            for _ in 0..<4 { try Subject.edit(&context, using: &random) }
          }
        } catch is BatchError {}
        let numbers = (0..<random.number(in: 1..<4)).map { _ in random.number(in: 0..<5) }
        switch random.number(in: 0..<4) {
        case 0:
          try require(studio, seed, step, numbers.map { Person.EntityID("p\($0)") }, \.people)
        case 1: try require(studio, seed, step, numbers.map { Photo.EntityID($0) }, \.photos)
        case 2: try require(studio, seed, step, numbers.map { Folder.EntityID($0) }, \.folders)
        default: try require(studio, seed, step, numbers.map { Team.EntityID($0) }, \.teams)
        }
      }
    }
  }

  private func require<Entity: EntityType>(
    _ studio: Studio, _ seed: UInt64, _ step: Int, _ ids: [Entity.EntityID],
    _ path: any WritableKeyPath<Studio.Contents, Tables.Hash<Entity>> & Sendable
  ) throws {
    let plan = studio.plan(deleting: ids)
    let place = "seed \(seed), step \(step), \(ids)"
    expectEqual(plan, studio.plan(deleting: ids), "\(place)")
    expectEqual(plan.description, studio.plan(deleting: ids).description, "\(place)")
    var copy = studio
    do {
      try copy.performBatchUpdates { context in
        context.modifying[dynamicMember: path].remove(ids)
        return
      }
    } catch BatchError.refused(let violations) {
      expectEqual(violations, plan.violations, "\(place)")
      return
    }
    expectTrue(plan.isAllowed && copy.changes(since: studio) == plan.changes, "\(place)")
    // Rows of any table, counted with the keys that forget.
    let nullified = Set(plan.nullifications.map(\.holder))
    expectEqual(plan.removals.count + nullified.count, plan.changes.count, "\(place)")
    expectEqual(Set(plan.removals.map(\.entity)).count, plan.removals.count, "\(place)")
  }
}
