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

let file = try DatabaseFile<Library>(path: "reading-list.sqlite")
var library = try file.load()
print("books in the file:", library.books.count)

library.performBatchUpdates { context in
  context.modifying.authors.insert(Author(id: "a1", name: "Ursula"))
  context.modifying.books.insert(
    Book(id: "b1", title: "The Dispossessed", year: 1974, authorID: "a1"))
  context.modifying.readingList.append("b1")
}
try file.save(library)
print("books saved:", library.books.count)
try file.close()
