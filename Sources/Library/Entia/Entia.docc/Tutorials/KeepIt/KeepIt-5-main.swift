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
  var isRead = false
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

store.batch(\.library, "Read") { $0.books["b2"]?.isRead = true }
try keeper.flush()

// Another process could read the file in the same way, while this process has it open.
let reader = try DatabaseFile<Library>(
  path: "reading-list.sqlite", configuration: .init(isReadOnly: true))
let readBooks = try reader.load().books.filter(\.isRead)
print("a reader finds", readBooks.count, "books that are read")
try reader.close()

print("the file is open until you press Return")
_ = readLine()
try file.close()
