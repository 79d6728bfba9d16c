import Entia

@Entity
struct Author {
  let id: String
  var name: String
}

@Entity
struct Book {
  let id: String
  var title: String
  let authorID: Author.EntityID  // typed: another entity's ID does not compile here
}

@NormalizedStorage
struct Library {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}

func tour() throws -> String? {
  var library = Library()
  library.performBatchUpdates { context in  // all or nothing
    context.modifying.authors.insert(Author(id: "a1", name: "Ursula"))
    context.modifying.books.insert(Book(id: "b1", title: "The Dispossessed", authorID: "a1"))
  }
  let before = library  // O(1)
  library.performBatchUpdates { $0.modifying.authors["a1"]?.name += "!" }
  let changes = library.changes(since: before)  // O(changes)
  assert(changes.authors.updated.count == 1 && changes.books.isEmpty)
  try library.apply(changes.inverted)  // back again
  return library.view(of: Book.EntityID("b1"))?[\.bookAuthor]?.name  // resolved on read
}
