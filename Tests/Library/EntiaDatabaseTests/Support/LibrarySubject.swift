import EntiaDatabase
import EntiaLaws
import EntiaTestDomains

/// Random edits of the sample library: every table, every rule, keys that lead nowhere included.
enum LibrarySubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Library>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    switch random.number(in: 0..<16) {
    case 0..<3:
      context.modifying.authors.insert(author(number, &random))
    case 3..<7:
      context.modifying.books.insert(book(number, &random))
    case 7..<9:
      context.modifying.shelves.insert(shelf(number, &random))
    case 9:
      context.modifying.loans.insert(Loan(id: number, bookID: bookID(&random)))
    case 10:
      let sequel: Book.EntityID? = random.oneIn(2) ? nil : bookID(&random)
      try context.modifying.books.updateExists(id: "b\(number)") { $0.sequelID = sequel }
    case 11:
      let added = bookID(&random)
      let place = random.number(in: 0..<4)
      context.modifying.shelves.updateIfExists(id: .init(number)) {
        $0.bookIDs.insert(added, at: min(place, $0.bookIDs.count))
      }
    case 12:
      context.modifying.authors.remove("a\(number)")
    case 13:
      context.modifying.books.remove("b\(number)")
    case 14:
      context.modifying.shelves.remove(.init(number))
    default:
      context.modifying.loans.remove(where: { $0.id >= number })
    }
  }

  /// Makes a holder the last one of its targets, and leaves all rows equal.
  static func reorder(_ library: inout Library, using random: inout SeededGenerator) throws {
    let book = library.books.allEntities().randomElement(using: &random)
    let shelf = library.shelves.allEntities().randomElement(using: &random)
    try library.performBatchUpdates { context in
      switch random.number(in: 0..<3) {
      case 0:
        guard let book else { return }
        context.modifying.books.remove(book.entityID)
        context.modifying.books.insert(book)
      case 1:
        guard let book else { return }
        context.modifying.books.updateIfExists(id: book.entityID) {
          $0.authorID = $0.authorID == "a0" ? "a1" : "a0"
        }
        context.modifying.books.insert(book)
      default:
        guard let shelf else { return }
        context.modifying.shelves.updateIfExists(id: shelf.entityID) { $0.bookIDs = [] }
        context.modifying.shelves.insert(shelf)
      }
    }
  }

  static func author(_ number: Int, _ random: inout SeededGenerator) -> Author {
    Author(id: "a\(number)", name: "name \(random.number(in: 0..<3))")
  }

  static func bookID(_ random: inout SeededGenerator) -> Book.EntityID {
    "b\(random.number(in: 0..<6))"
  }

  static func book(_ number: Int, _ random: inout SeededGenerator) -> Book {
    Book(
      rawID: "b\(number)", title: "title \(random.number(in: 0..<2))",
      authorID: "a\(random.number(in: 0..<6))", sequelID: random.oneIn(2) ? nil : bookID(&random))
  }

  static func shelf(_ number: Int, _ random: inout SeededGenerator) -> Shelf {
    Shelf(id: number, bookIDs: (0..<random.number(in: 0..<4)).map { _ in bookID(&random) })
  }
}
