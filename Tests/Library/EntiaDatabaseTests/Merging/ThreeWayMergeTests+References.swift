import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

extension ThreeWayMergeTests {
  @Test("The delete rules apply to a row that one side removed and the other began to reference")
  func rules() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.authors.remove("a2")
        context.modifying.books.remove("b2")
      },
      { context in
        context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a2"))
        context.modifying.books.insert(
          Book(rawID: "b5", title: "Five", authorID: "a1", sequelID: "b2"))
        context.modifying.shelves.insert(Shelf(id: 2, bookIDs: ["b2", "b4", "b5"]))
      })
    for result in [
      try mine.merging(theirs, base: base), try theirs.merging(mine, base: base),
    ] {
      expectTrue(result.conflicts == [] && result.storage.verify() == [])
      expectEqual(result.storage.books.map(\.rawID).sorted(), ["b1", "b5"])
      expectNil(result.storage.books.find(by: "b5")?.sequelID)
      expectEqual(result.storage.shelves.find(by: 2)?.bookIDs, ["b5"])
    }
    let denied = try forks(
      { $0.modifying.books.remove("b3") },
      { $0.modifying.loans.insert(Loan(id: 7, bookID: "b3")) })
    for (one, other) in [(denied.mine, denied.theirs), (denied.theirs, denied.mine)] {
      let error = #expect(throws: BatchError.self) { try one.merging(other, base: denied.base) }
      expectEqual(
        error?.description,
        "the batch was refused: Book b3 cannot be removed: it is referenced through "
          + "loanBook by Loan 7")
    }
  }

  @Test("A reference that dangled on one side neither follows a delete rule nor denies a removal")
  func danglingBefore() throws {
    // Mine removes the author of a book that only theirs has, and to which mine refers already.
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.authors.remove("a2")
        context.modifying.loans.insert(Loan(id: 7, bookID: "b4"))
        context.modifying.shelves.insert(Shelf(id: 2, bookIDs: ["b4", "b1"]))
        context.modifying.books.updateIfExists(id: "b1") { $0.sequelID = "b4" }
      },
      { context in
        context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "a2"))
        context.modifying.loans.insert(Loan(id: 8, bookID: "b1"))
      })
    for (one, other) in [(mine, theirs), (theirs, mine)] {
      let merged = try one.merging(other, base: base).storage
      expectEqual(Set(merged.verify()), Set(mine.verify()))
      expectEqual(merged.books.map(\.rawID).sorted(), ["b1", "b2"])
      expectEqual(Set(merged.loans.map(\.id)), [7, 8])
    }
    let denied = try forks(
      { context in
        context.modifying.books.remove("b3")
        context.modifying.loans.insert(Loan(id: 7, bookID: "b3"))
      },
      { $0.modifying.loans.insert(Loan(id: 8, bookID: "b3")) })
    for (one, other) in [(denied.mine, denied.theirs), (denied.theirs, denied.mine)] {
      let error = #expect(throws: BatchError.self) { try one.merging(other, base: denied.base) }
      expectEqual(
        error?.description,
        "the batch was refused: Book b3 cannot be removed: it is referenced through "
          + "loanBook by Loan 8")
    }
  }

  @Test("A row that a merge removes leaves what it referenced if the reference dangled on one side")
  func danglingOfRemovedHolder() throws {
    var base = Jukebox()
    try base.performBatchUpdates { context in
      _ = context.modifying.makers.insert([Presser(id: 1), Presser(id: 3), Presser(id: 4)])
    }
    var (mine, theirs) = (base, base)
    try mine.performBatchUpdates { context in
      context.modifying.discs.insert(Vinyl(id: 1, makerID: 1, coverID: 2))
      context.modifying.discs.insert(Vinyl(id: 2, makerID: 1, coverID: 3))
    }
    try theirs.performBatchUpdates { context in
      context.modifying.makers.remove(1)
      context.modifying.makers.insert(Presser(id: 2))
    }
    for (one, other) in [(mine, theirs), (theirs, mine)] {
      let merged = try one.merging(other, base: base).storage
      expectTrue(merged.snapshot.contents.discs.isEmpty)
      expectEqual(merged.snapshot.contents.makers.map(\.id).sorted(), [2, 4])
    }
  }

  @Test("A key that neither side has follows the delete rule of a removed entity, or is refused")
  func combinedKeys() throws {
    func merged(_ makers: [Int], removing removed: Presser.EntityID? = nil) throws -> Jukebox {
      var base = Jukebox()
      try base.performBatchUpdates { context in
        context.modifying.makers.insert(makers.map { Presser(id: $0) })
        context.modifying.plays.insert(Spin(id: 1, code: 1, side: 1))
      }
      var (mine, theirs) = (base, base)
      try mine.performBatchUpdates { context in
        context.modifying.plays.updateIfExists(id: 1) { $0.code = 2 }
      }
      try theirs.performBatchUpdates { context in
        context.modifying.plays.updateIfExists(id: 1) { $0.side = 2 }
        if let removed { context.modifying.makers.remove(removed) }
      }
      let result = try mine.merging(theirs, base: base).storage
      try expectEqual(theirs.merging(mine, base: base).storage, result)
      return result
    }
    try expectEqual(merged([2, 3, 4]).snapshot.contents.plays.map(\.labelID), [4])
    try expectTrue(merged([2, 3, 4], removing: 4).snapshot.contents.plays.isEmpty)
    let error = #expect(throws: BatchError.self) { try merged([2, 3]) }
    expectEqual(
      error?.description,
      "the batch was refused: Spin 1: playLabel requires Presser 4, which does not exist")
  }

  @Test("A row that a closure returns has no new key that dangles")
  func resolvedKeys() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.sequelID = "b8" }
      },
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.sequelID = "b3" }
      })
    func merged(_ authorID: Author.EntityID, _ sequelID: Book.EntityID) throws -> Library {
      var merge = ThreeWayMerge<Library>()
      merge.resolve(Book.self) { _ in
        .entity(Book(rawID: "b1", title: "Uno", authorID: authorID, sequelID: sequelID))
      }
      return try mine.merging(theirs, base: base, by: merge).storage
    }
    try expectEqual(merged("a1", "b8").verify(), mine.verify())
    try expectEqual(merged("a2", "b2").verify(), [])
    let error = #expect(throws: BatchError.self) { try merged("a8", "b9") }
    expectEqual(
      error?.description,
      "the batch was refused: Book b1: bookAuthor requires Author a8, which does not exist; "
        + "Book b1: bookSequel requires Book b9, which does not exist")
  }

  @Test("A key of a row that a delete rule removes refuses no merge; an error has all violations")
  func resolvedKeysOfRemovedRows() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
        context.modifying.loans.insert(Loan(id: 7, bookID: "b3"))
      },
      { context in
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Un" }
        context.modifying.books.remove("b3")
        context.modifying.authors.remove("a2")
      })
    var unlent = mine
    try unlent.performBatchUpdates { $0.modifying.loans.remove(7) }
    func merged(_ mine: Library, _ authorID: Author.EntityID) throws -> [Library] {
      var merge = ThreeWayMerge<Library>()
      merge.resolve(Book.self) { _ in
        .entity(Book(rawID: "b1", title: "One", authorID: authorID, sequelID: "b9"))
      }
      return [
        try mine.merging(theirs, base: base, by: merge).storage,
        try theirs.merging(mine, base: base, by: merge).storage,
      ]
    }
    for result in try merged(unlent, "a2") {
      expectEqual(result.books.map(\.rawID), ["b2"])
      expectEqual(result.verify(), [])
    }
    let error = #expect(throws: BatchError.self) { try merged(mine, "a8") }
    expectEqual(
      error?.description,
      "the batch was refused: Book b1: bookAuthor requires Author a8, which does not exist; "
        + "Book b1: bookSequel requires Book b9, which does not exist; Book b3 cannot be removed: "
        + "it is referenced through loanBook by Loan 7")
  }

  @Test("A list that a closure returns keeps the entries that dangled on a side")
  func resolvedLists() throws {
    let (base, mine, theirs) = try forks(
      { context in
        context.modifying.shelves.updateIfExists(id: 1) { $0.bookIDs = ["b8", "b1"] }
        context.modifying.shelves.insert(Shelf(id: 2, bookIDs: ["b8"]))
      },
      { context in
        context.modifying.shelves.updateIfExists(id: 1) { $0.bookIDs = ["b1", "b9"] }
        context.modifying.shelves.insert(Shelf(id: 2, bookIDs: ["b9"]))
      })
    func merged(_ bookIDs: [Book.EntityID]) throws -> [Book.EntityID]? {
      var merge = ThreeWayMerge<Library>()
      merge.resolve(Shelf.self) { .entity(Shelf(id: $0.entityID.raw, bookIDs: bookIDs)) }
      return try mine.merging(theirs, base: base, by: merge).storage.shelves.find(by: 1)?.bookIDs
    }
    try expectEqual(merged(["b9", "b2", "b8", "b9"]), ["b9", "b2", "b8", "b9"])
    let error = #expect(throws: BatchError.self) { try merged(["b9", "b7", "b8", "b7"]) }
    expectEqual(
      error?.description,
      "the batch was refused: Shelf 1: shelfBooks requires Book b7, which does not exist; "
        + "Shelf 2: shelfBooks requires Book b7, which does not exist")
  }

  @Test("A required key that a closure returns is refused once")
  func resolvedRequiredKeys() throws {
    var base = Jukebox()
    try base.performBatchUpdates { $0.modifying.plays.insert(Spin(id: 1, code: 1)) }
    var (mine, theirs) = (base, base)
    try mine.performBatchUpdates { $0.modifying.plays.updateIfExists(id: 1) { $0.code = 2 } }
    try theirs.performBatchUpdates { $0.modifying.plays.updateIfExists(id: 1) { $0.code = 3 } }
    var merge = ThreeWayMerge<Jukebox>()
    merge.resolve(Spin.self) { _ in .entity(Spin(id: 1, discIDs: [9])) }
    let error = #expect(throws: BatchError.self) {
      try mine.merging(theirs, base: base, by: merge)
    }
    expectEqual(
      error?.description,
      "the batch was refused: Spin 1: playDiscs requires Vinyl 9, which does not exist")
  }
}
