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
  @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
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

let before = library
library.performBatchUpdates { context in
  context.modifying.authors["a1"]?.name = "Ursula K. Le Guin"
  context.modifying.books["b2"]?.year = 1962
}
let changes = library.changes(since: before)
for update in changes.authors.updated { print(update.old.name, "is now", update.new.name) }
print(changes.books.updated.count, "book changed,", before.authors.count, "authors before")
