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

for client in [first, second] {
  client.sharing.onRejection { batch, _ in print("taken back:", batch.name ?? "a commit") }
}
for (client, id) in [(first, "b3"), (second, "b4")] {
  do {
    try client.store.batch(\.library, "Add Fiasco") {
      $0.books.insert(Book(id: id, title: "Fiasco", year: 1986, authorID: "a2"))
    }
  } catch {
    // The client has received the book of the other client in between.
    print("taken back: Add Fiasco")
  }
}
try await first.sharing.settled()
try await second.sharing.settled()
let copies = second.store.state.library.books.filter { $0.title == "Fiasco" }
print("books with the title:", copies.count)
