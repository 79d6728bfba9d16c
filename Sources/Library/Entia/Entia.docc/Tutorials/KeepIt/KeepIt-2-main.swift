import Entia
import EntiaSQLite

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
  @Index var readingList: Indexes.OrderedID<Book> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}

struct AppState: StateType {
  var library = Library()
}

let file = try DatabaseFile<Library>(path: "reading-list.sqlite")
let store = Store<AppState, Never>(initialState: AppState(library: try file.load()))
let keeper = try store.keep(\.library, in: file)

store.batch(\.library, "Add Solaris") { tables in
  tables.authors.insert(Author(id: "a2", name: "Stanisław"))
  tables.books.insert(Book(id: "b2", title: "Solaris", year: 1961, authorID: "a2"))
  tables.readingList.append("b2")
}
try keeper.flush()
print(store.state.library.readingList.map(\.raw))
try file.close()
