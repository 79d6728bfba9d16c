import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
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
    expectEqual(one, two)
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
    expectEqual(one, two)
    // With one holder left all the time, the removal is denied; a row that is written later only
    // dangles, and is not named.
    let error = #expect(throws: BatchError.self) {
      try start.performBatchUpdates { context in
        context.modifying.books.remove("b3")
        context.modifying.loans.remove(1)
        context.modifying.loans.insert(Loan(id: 3, bookID: "b3"))
      }
    }
    expectEqual(
      error?.description,
      "the batch was refused: Book b3 cannot be removed: it is referenced through loanBook "
        + "by Loan 2")
  }

  @Test("Law 15: a removal is denied by the rows that have referenced the entity since then")
  func histories() throws {
    for seed in LawRuns(count: 60, steps: 8).seeds {
      var random = SeededGenerator(seed: seed)
      var model = DenialModel(people: 4, teams: 5, &random)
      let start = try model.studio()
      let kept = seed % 2 == 0 ? start : nil
      var studio = start
      do {
        try studio.performBatchUpdates { context in
          for _ in 0..<8 { model.step(&context, &random) }
        }
        expectEqual(model.denied, [], "seed \(seed)")
      } catch BatchError.refused(let violations) {
        expectEqual(Set(violations.map(sorted)), model.denied, "seed \(seed)")
        expectTrue(violations.count == model.denied.count && studio == start, "seed \(seed)")
      }
      if let kept { expectEqual(kept, start) }
    }
  }

  /// Returns the description of a violation whose holders are in the order of their IDs.
  private func sorted(_ violation: BatchViolation) -> String {
    guard case .deniedDelete(let target, let relationship, let holders) = violation else {
      return violation.description
    }
    let ordered = holders.sorted { $0.description < $1.description }
    return BatchViolation.deniedDelete(target, relationship: relationship, holders: ordered)
      .description
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
    expectEqual(
      error?.description,
      """
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
    expectEqual(
      error?.description,
      "the batch was refused: Book b9 cannot be removed: it is referenced through loanBook "
        + "by Loan 9")
    expectEqual(library, before)
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
    expectEqual(first, second)
    try library.performBatchUpdates { context in
      let book = context.modifying.books.remove("b3")
      if let book { context.modifying.books.insert(book) }
    }
    expectEqual(library.verify(), [])
  }
}

/// People and the teams that reference them, with the rows that deny each removal.
private struct DenialModel {
  private var people: Set<Int>
  private var teams: [Int: Team] = [:]
  /// The teams that have referenced a removed person since the removal, by relationship.
  private var deniers: [String: [Int: Set<Int>]] = ["teamLead": [:], "teamGuests": [:]]

  init(people: Int, teams: Int, _ random: inout SeededGenerator) {
    self.people = Set(0..<people)
    for id in 0..<teams { self.teams[id] = Self.team(id, &random) }
  }

  private static func team(_ id: Int, _ random: inout SeededGenerator) -> Team {
    let guests = (0..<4).filter { _ in random.oneIn(3) }.map { Person.EntityID("p\($0)") }
    return Team(
      id: id, leadID: random.oneIn(3) ? nil : .init("p\(random.number(in: 0..<4))"),
      guestIDs: guests)
  }

  func studio() throws -> Studio {
    var studio = Studio(.deny)
    try studio.performBatchUpdates { context in
      context.modifying.people.insert(people.sorted().map { Person(id: "p\($0)") })
      context.modifying.teams.insert(teams.values.sorted { $0.id < $1.id })
    }
    return studio
  }

  private func holders(of person: Int, _ relationship: String) -> Set<Int> {
    let id = Person.EntityID("p\(person)")
    return Set(
      teams.values.filter {
        relationship == "teamLead" ? $0.leadID == id : $0.guestIDs?.contains(id) == true
      }.map(\.id))
  }

  mutating func step(_ context: inout BatchContext<Studio>, _ random: inout SeededGenerator) {
    let person = random.number(in: 0..<4)
    let id = random.number(in: 0..<6)
    switch random.number(in: 0..<6) {
    case 0, 1:
      guard people.remove(person) != nil else { return }
      context.modifying.people.remove(.init("p\(person)"))
      for relationship in deniers.keys {
        let holders = holders(of: person, relationship)
        deniers[relationship]?[person] = holders
      }
    case 2:
      people.insert(person)
      context.modifying.people.insert(Person(id: "p\(person)"))
    case 3:
      teams[id] = nil
      context.modifying.teams.remove(.init(id))
      dropFormerDeniers()
    default:
      let team = Self.team(id, &random)
      teams[id] = team
      context.modifying.teams.insert(team)
      dropFormerDeniers()
    }
  }

  private mutating func dropFormerDeniers() {
    for (relationship, known) in deniers {
      for (person, teams) in known {
        let left = teams.intersection(holders(of: person, relationship))
        deniers[relationship]?[person] = left
      }
    }
  }

  /// The descriptions of the violations, for holders in the order of their links.
  var denied: Set<String> {
    var result: Set<String> = []
    for (relationship, known) in deniers {
      for (person, teams) in known where !people.contains(person) && !teams.isEmpty {
        let holders = teams.sorted().map { "Team \($0)" }.joined(separator: ", ")
        result.insert(
          "Person p\(person) cannot be removed: it is referenced through \(relationship) by "
            + holders)
      }
    }
    return result
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
    expectEqual(
      chain.verify().map(\.description), ["Link 2: next references Link 0, which does not exist"])
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
      expectNil(updated)
      #expect(throws: TableError.notFound(EntityLabel(Book.EntityID("b2")))) {
        try books.updateExists(id: "b2") { book in
          others.remove("b2")
          book.authorID = "a2"
        }
      }
    }
    expectEqual(library.books.allIDs(), ["b1"])
    expectEqual(library.verify(), [])
  }

  @Test("An update whose closure removes the row and changes nothing returns no row, either")
  func removedUnchanged() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      var books = context.modifying.books
      var others = context.modifying.books
      expectNil(books.updateIfExists(id: "b3") { _ in others.remove("b3") })
      #expect(throws: TableError.notFound(EntityLabel(Book.EntityID("b2")))) {
        try books.updateExists(id: "b2") { _ in others.remove("b2") }
      }
    }
    expectEqual(library.books.allIDs(), ["b1"])
  }

  @Test("The report of a begun batch has its problems")
  func problemsAreReported() throws {
    var library = try Library.sample()
    var batch = library.beginBatchUpdates()
    batch.modifying.shelves.updateIfExists(id: 1) { $0 = Shelf(id: 2, bookIDs: []) }
    let report = try library.commitBatchUpdates(batch)
    expectTrue(report.changes.isEmpty)
    expectEqual(
      report.problems.map(\.description),
      [
        "an update of Shelf 1 changed its ID to 2; the row was left unchanged"
      ])
  }
}
