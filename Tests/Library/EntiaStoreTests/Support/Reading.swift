import EntiaDatabase
import EntiaStore

/// A small library with a delete rule that can refuse, and a list in the user's order.
enum Reading {
  struct Author: EntityType, Identifiable {
    let id: Int
    var name: String
    var email: String?
  }

  struct Book: EntityType, Identifiable {
    var id: Int
    var title: String
    var authorID: Author.EntityID
    var rating = 0.0
  }

  struct Library: NormalizedStorageType {
    struct Contents: StorageContents {
      var authors = Tables.Hash<Author>()
      var books = Tables.Ordered<Book>()
      var bookAuthor = ToOne<Book, Author>(\.authorID)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("authors", \.authors)
        visitor.table("books", \.books)
        visitor.relationship("bookAuthor", \.bookAuthor)
      }
    }

    typealias Refusal = any Error

    var snapshot = Snapshot(Contents())
    var authors: Tables.Hash<Author> { snapshot.contents.authors }
    var books: Tables.Ordered<Book> { snapshot.contents.books }
  }

  struct State: StateType {
    var library = Library()
    var searchText = ""

    /// Two authors, and three books of the first.
    static func sample() throws -> State {
      var state = State()
      try state.library.performBatchUpdates { context in
        context.modifying.authors.insert([Author(id: 1, name: "Ann"), Author(id: 2, name: "Bob")])
        for id in 1...3 {
          context.modifying.books.insert(Book(id: id, title: "Book \(id)", authorID: 1))
        }
      }
      return state
    }
  }
}
