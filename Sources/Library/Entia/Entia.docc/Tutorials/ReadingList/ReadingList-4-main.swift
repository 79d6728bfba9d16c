import Entia
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
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}

var library = Library()
library.performBatchUpdates { context in
  context.modifying.authors.insert(Author(id: "a1", name: "Ursula"))
  context.modifying.authors.insert(Author(id: "a2", name: "Stanisław"))
  context.modifying.books.insert([
    Book(id: "b1", title: "The Dispossessed", year: 1974, authorID: "a1"),
    Book(id: "b2", title: "Solaris", year: 1961, authorID: "a2"),
    Book(id: "b3", title: "The Lathe of Heaven", year: 1971, authorID: "a1"),
  ])
}

let recent = FetchDescriptor<Book>(
  predicate: #Predicate { $0.year > 1970 }, sortBy: [SortDescriptor(\.year)])
for book in library.fetch(recent) { print(book.title, book.year) }
