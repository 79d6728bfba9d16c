import EntiaDatabase

struct Author: EntityType, Identifiable, Codable {
  let id: String
  var name: String
}

struct Book: EntityType, Codable {
  typealias EntityIDRawType = String
  var entityID: EntityID { .init(rawID) }
  let rawID: String
  var title: String
  var authorID: Author.EntityID
  var sequelID: Book.EntityID?
}

struct Shelf: EntityType, Identifiable, Codable {
  let id: Int
  var bookIDs: [Book.EntityID]
}

struct Loan: EntityType, Identifiable, Codable {
  let id: Int
  let bookID: Book.EntityID
}

/// The storage written by hand, as the documentation of `NormalizedStorageType` says.
struct Library: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var books = Tables.Hash<Book>()
    var shelves = Tables.Hash<Shelf>()
    var loans = Tables.Hash<Loan>()
    var bookAuthor = ToOne<Book, Author>(\.authorID, onDelete: .cascade)
    var bookSequel = ToOne<Book, Book>(\.sequelID, onDelete: .nullify)
    var shelfBooks = ToMany<Shelf, Book>(\.bookIDs, onDelete: .nullify)
    var loanBook = ToOne<Loan, Book>(\.bookID)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("books", \.books)
      visitor.table("shelves", \.shelves)
      visitor.table("loans", \.loans)
      visitor.relationship("bookAuthor", \.bookAuthor)
      visitor.relationship("bookSequel", \.bookSequel)
      visitor.relationship("shelfBooks", \.shelfBooks)
      visitor.relationship("loanBook", \.loanBook)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var authors: Tables.Hash<Author> { snapshot.contents.authors }
  var books: Tables.Hash<Book> { snapshot.contents.books }
  var shelves: Tables.Hash<Shelf> { snapshot.contents.shelves }
  var loans: Tables.Hash<Loan> { snapshot.contents.loans }
}

extension Library {
  /// Two authors, three books, a shelf and no loans.
  static func sample() throws -> Library {
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert([
        Author(id: "a1", name: "Ann"), Author(id: "a2", name: "Bob"),
      ])
      context.modifying.books.insert([
        Book(rawID: "b1", title: "One", authorID: "a1", sequelID: "b2"),
        Book(rawID: "b2", title: "Two", authorID: "a1"),
        Book(rawID: "b3", title: "Three", authorID: "a2"),
      ])
      context.modifying.shelves.insert(Shelf(id: 1, bookIDs: ["b3", "b1", "b2"]))
    }
    return library
  }
}
