import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Testing

@Suite("Lists of keys")
struct ListOrderTests {
  /// What the library must read like: plain lists of keys, and which books there are.
  struct Model {
    var shelves: [Int: [Book.EntityID]] = [:]
    var books: Set<Book.EntityID> = []

    /// The first reading that is not as the model says, or `nil`.
    func firstDifference(from library: Library) -> String? {
      for (id, list) in shelves {
        guard let shelf = library.view(of: Shelf.EntityID(id)) else { return "no shelf \(id)" }
        let references = shelf.references(\.shelfBooks)
        if references.map(\.entityID) != list { return "references of \(id): \(references)" }
        for (reference, book) in zip(references, list)
        where reference != (library.view(of: book).map { .loaded($0) } ?? .missing(book)) {
          return "\(book) on \(id) reads \(reference)"
        }
        let present = list.filter(books.contains)
        if shelf[\.shelfBooks].map(\.entityID) != present { return "books of \(id)" }
        if references.map({ $0.view != nil }) != list.map(books.contains) { return "misses" }
      }
      for id in books {
        let named = library.view(of: id)?[inverse: \.shelfBooks].map(\.id) ?? []
        let expected = shelves.filter { $0.value.contains(id) }.map(\.key)
        if named.sorted() != expected.sorted() { return "shelves that name \(id): \(named)" }
      }
      return library.shelves.count == shelves.count ? nil : "shelves"
    }
  }

  @Test("Laws 14, 17: a list keeps its order through every edit, misses read as misses and heal")
  func listsKeepTheirOrder() throws {
    for seed in LawRuns(count: 7, steps: 40, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var library = Library()
      var model = Model()
      for step in 0..<40 {
        try library.performBatchUpdates { context in
          for _ in 0...random.number(in: 0..<2) { edit(&context, &model, &random) }
        }
        let difference = model.firstDifference(from: library)
        try #require(difference == nil, "seed \(seed), step \(step)")
      }
    }
  }

  private func edit(
    _ context: inout BatchContext<Library>, _ model: inout Model, _ random: inout SeededGenerator
  ) {
    let shelf = random.number(in: 0..<6)
    let book = LibrarySubject.bookID(&random)
    switch random.number(in: 0..<8) {
    case 0:
      let new = LibrarySubject.shelf(shelf, &random)
      context.modifying.shelves.insert(new)
      model.shelves[shelf] = new.bookIDs
    case 1..<4:
      guard var list = model.shelves[shelf] else { return }
      switch random.number(in: 0..<3) {
      case 0: list.insert(book, at: random.number(in: 0..<(list.count + 1)))
      case 1: list.shuffle(using: &random)
      default: list = Array(list.dropFirst())
      }
      model.shelves[shelf] = list
      context.modifying.shelves.updateIfExists(id: .init(shelf)) { $0.bookIDs = list }
    case 4:
      context.modifying.shelves.remove(.init(shelf))
      model.shelves[shelf] = nil
    case 5..<7:
      context.modifying.books.insert(Book(rawID: book.raw, title: "", authorID: "a1"))
      model.books.insert(book)
    default:
      // Nullify takes out every mention, and only where the book was there to be removed.
      guard context.modifying.books.remove(book) != nil else { return }
      model.books.remove(book)
      model.shelves = model.shelves.mapValues { $0.filter { $0 != book } }
    }
  }
}
