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

/// A program that shares the library: a store of its own, with a connection of its own.
struct Client {
  let store: Store<AppState, Never>
  let sharing: DatabaseSharing<Library>

  init(connecting server: String) async throws {
    let shared = try await SharedDatabase<Library>(connecting: server, space: "reading-list")
    store = Store(initialState: AppState(library: try await shared.load()))
    sharing = try store.share(\.library, through: shared)
  }
}

let server = ProcessInfo.processInfo.environment["ENTIA_SERVER"] ?? ""
let first = try await Client(connecting: server)
let second = try await Client(connecting: server)

try first.store.batch(\.library, "Add Solaris") { tables in
  tables.authors.insert(Author(id: "a2", name: "Stanisław"))
  tables.books.insert(Book(id: "b2", title: "Solaris", year: 1961, authorID: "a2"))
}
let state = await second.store.states.first { $0.library.books.count == 2 }
print("the second client has", state?.library.books.map(\.title) ?? [])
