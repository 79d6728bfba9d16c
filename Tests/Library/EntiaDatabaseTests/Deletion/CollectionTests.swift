import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Collecting unreachable rows")
struct CollectionTests {
  @Test("A plan lists the unreachable rows, table by table, and a batch removes exactly these")
  func shelves() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cid"))
      context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a3"))
      context.modifying.books.insert(
        Book(rawID: "b5", title: "Five", authorID: "a1", sequelID: "b4"))
      context.modifying.shelves.updateIfExists(id: 1) { $0.bookIDs = ["b3", "b9"] }
    }
    let plan = library.collect(roots: [.table(of: Shelf.self), .entity(Book.EntityID("b1"))])
    expectEqual(
      plan.description,
      """
      removes 3:
        Author a3
        Book b4
        Book b5
      """)
    expectEqual(plan.unreached.books.removed.map(\.rawID), ["b4", "b5"])
    expectEqual(library.books.count, 5)
    let before = library
    try library.performBatchUpdates { try $0.remove(plan) }
    expectEqual(library.changes(since: before), plan.unreached)
    expectEqual(library.books.map(\.rawID), ["b1", "b2", "b3"])
    let again = library.collect(roots: [.table(of: Shelf.self), .entities(["b1" as Book.EntityID])])
    expectTrue(again.isEmpty && again.description == "everything is reached")
    // A rule that would take more along is not asked.
    expectEqual(library.collect(roots: []).removals.count, 6)
  }

  @Test("A plan for another version is refused, and nothing is removed")
  func stale() throws {
    var library = try Library.sample()
    let plan = library.collect(roots: [.table(of: Author.self)])
    let error = #expect(throws: CollectionError.self) {
      try library.performBatchUpdates { context in
        context.modifying.shelves.insert(Shelf(id: 2, bookIDs: []))
        try context.remove(plan)
      }
    }
    expectEqual(
      error?.description,
      """
      the collection was planned for another version of Library, in which other rows may be \
      reached; create a new plan
      """)
    try expectEqual(library, Library.sample())
    try library.performBatchUpdates { context in
      context.modifying.shelves.insert(Shelf(id: 2, bookIDs: []))
      try context.remove(
        context.pending.collect(roots: [.table(of: Author.self), .entity(Shelf.EntityID(2))]))
    }
    expectTrue(library.shelves.map(\.id) == [2] && library.books.isEmpty)
  }

  @Test("With dependents, rows that a cascade would remove with a used row are used")
  func dependents() throws {
    let library = try Library.sample()
    let roots: [CollectionRoot] = [.entity(Author.EntityID("a1"))]
    expectEqual(library.collect(roots: roots).removals.count, 5)
    let plan = library.collect(roots: roots, following: .keysAndDependents)
    expectEqual(plan.removals.map(\.description), ["Author a2", "Book b3", "Shelf 1"])
  }

  @Test("A plan without a root is refused, and nothing is removed")
  func noRoots() throws {
    var library = try Library.sample()
    let error = #expect(throws: CollectionError.self) {
      try library.performBatchUpdates { try $0.remove($0.pending.collect(roots: [])) }
    }
    expectEqual(
      error?.description,
      """
      the collection has no root and would remove every row of Library; name the tables or the \
      entities that are in use
      """)
    try expectEqual(library, Library.sample())
    var empty = Library()
    try empty.performBatchUpdates { try $0.remove($0.pending.collect(roots: [])) }
  }

  @Test("The changes of a plan are those of its removal, held IDs included")
  func heldChanges() throws {
    var recipe = Recipe("abc")
    recipe.performBatchUpdates { context in
      context.modifying.done.insert(.init("b"))
      context.modifying.pinned.remove(.init("c"))
    }
    let start = recipe
    let plan = recipe.collect(roots: [.entity(Step.EntityID("a"))], keepingHeld: false)
    try recipe.performBatchUpdates { try $0.remove(plan) }
    expectTrue(recipe.pins == "a" && plan.unreached == recipe.changes(since: start))
    try recipe.apply(plan.unreached.inverted)
    expectTrue(recipe == start && recipe.pins == "ab")
  }

  @Test("Held IDs are roots unless they are excluded, and a plan is stale once they change")
  func held() throws {
    let recipe = Recipe("abc").changed { context in
      context.modifying.pinned.remove("a")
      context.modifying.pinned.remove("b")
      context.modifying.done.insert("b")
    }
    let plan = recipe.collect(roots: [])
    expectEqual(plan.removals.map(\.description), ["Step a"])
    expectEqual(recipe.collect(roots: [], keepingHeld: false).removals.count, 3)
    var copy = recipe
    copy.performBatchUpdates { context in
      #expect(throws: CollectionError.self) {
        context.modifying.done.insert("a")
        try context.remove(plan)
      }
    }
    expectEqual(copy.order, "abc")
    copy = recipe
    try copy.performBatchUpdates { try $0.remove(plan) }
    expectTrue(copy.order == "bc" && copy.pins == "c" && recipe.order == "abc")
  }

  @Test("Law 15: what is held is never collected", arguments: LawRuns(count: 7).seeds)
  func neverCollected(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var jukebox = Jukebox()
    for step in 0..<20 {
      do {
        try jukebox.performBatchUpdates { context in
          for _ in 0..<3 { try JukeboxSubject.edit(&context, using: &random) }
        }
      } catch is BatchError {} catch is TableError {}
      let roots: [CollectionRoot] =
        random.oneIn(2) ? [] : [.entity(Vinyl.EntityID(random.number(in: 0..<6)))]
      var copy = jukebox
      let isStale = random.oneIn(4)
      do {
        try copy.performBatchUpdates { context in
          let plan =
            random.oneIn(2) ? jukebox.collect(roots: roots) : context.pending.collect(roots: roots)
          if isStale { try JukeboxSubject.edit(&context, using: &random) }
          try context.remove(plan)
        }
        guard !isStale else { continue }
        let (old, new) = (jukebox.snapshot.contents, copy.snapshot.contents)
        expectTrue(old.favorites == new.favorites && old.unheard == new.unheard, "step \(step)")
        expectEqual(old.queue, new.queue, "step \(step)")
        expectTrue(Set(copy.verify()).isSubset(of: Set(jukebox.verify())), "step \(step)")
      } catch is CollectionError {
        expectEqual(copy, jukebox)
      } catch is BatchError {} catch is TableError {}
    }
  }

  @Test("A long chain and a cycle are followed in linear time, without recursion")
  func deep() throws {
    let count = shortened(100_000)
    let chain = Chain(.deny, (0..<count).map { $0 == 0 ? count - 1 : $0 - 1 } + [nil])
    let reads = KeyReads.counting {
      let plan = chain.collect(roots: [.entity(Link.EntityID(count / 2))])
      expectEqual(plan.removals.map(\.description), ["Link \(count)"])
    }
    expectTrue((count...2 * count).contains(reads))
  }

  @Test("Exactly the rows that a plain search does not reach are removed, and no key dangles")
  func model() throws {
    for seed in LawRuns(count: 3, steps: 10, corpus: [5]).seeds {
      var random = SeededGenerator(seed: seed)
      var library = Library()
      for step in 0..<12 {
        do {
          try library.performBatchUpdates { context in
            for _ in 0..<4 { try LibrarySubject.edit(&context, using: &random) }
          }
        } catch is BatchError {} catch is TableError {}
        let root = Shelf.EntityID(random.number(in: 0..<6))
        let author = Author.EntityID("a\(random.number(in: 0..<6))")
        var copy = library
        try copy.performBatchUpdates { context in
          try context.remove(context.pending.collect(roots: [.entity(root), .entity(author)]))
        }
        let books = reachedBooks(from: root, in: library)
        let authors = Set(books.compactMap { library.books.find(by: $0)?.authorID } + [author])
        let place = "seed \(seed), step \(step)"
        expectEqual(
          copy.books.map(\.entityID), library.books.map(\.entityID).filter(books.contains),
          "\(place)")
        expectEqual(
          copy.authors.map(\.entityID), library.authors.map(\.entityID).filter(authors.contains),
          "\(place)")
        expectEqual(
          copy.shelves.map(\.entityID), library.shelves.contains(root) ? [root] : [], "\(place)")
        expectTrue(copy.loans.isEmpty, "\(place)")
        expectTrue(Set(copy.verify()).isSubset(of: Set(library.verify())), "\(place)")
      }
    }
  }

  private func reachedBooks(from shelf: Shelf.EntityID, in library: Library) -> Set<Book.EntityID> {
    var result = Set(library.shelves.find(by: shelf)?.bookIDs ?? [])
    var count = -1
    while count != result.count {
      count = result.count
      result.formUnion(result.compactMap { library.books.find(by: $0)?.sequelID })
    }
    return result
  }
}
