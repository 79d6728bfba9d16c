import Entia
import EntiaPostgreSQL
import Foundation

@Entity
struct Author {
  let id: String
  var name: String
}

@Entity
struct Book {
  let id: String
  var title: String
  var year: Int
  var authorID: Author.EntityID
}

@NormalizedStorage
struct Library {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Index var bookTitle: Indexes.Unique<Book, String> = .init(\.title)
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}

struct AppState: StateType {
  var library = Library()
}

let server = ProcessInfo.processInfo.environment["ENTIA_SERVER"] ?? ""
try await SharedDatabase<Library>.install(connecting: server)
let shared = try await SharedDatabase<Library>(connecting: server, space: "reading-list")
let library = try await shared.load()
print("books in the space:", library.books.count)

let store = Store<AppState, Never>(initialState: AppState(library: library))
let sharing = try store.share(\.library, through: shared)
try store.batch(\.library, "Add a book") { tables in
  tables.authors.insert(Author(id: "a1", name: "Ursula"))
  tables.books.insert(Book(id: "b1", title: "The Dispossessed", year: 1974, authorID: "a1"))
}
try await sharing.settled()
print("books shared:", store.state.library.books.count)
