package import EntiaDatabase

package struct Author: EntityType, Identifiable, Codable {
  package let id: String
  package var name: String

  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

package struct Book: EntityType, Codable {
  package typealias EntityIDRawType = String
  package var entityID: EntityID { .init(rawID) }
  package let rawID: String
  package var title: String
  package var authorID: Author.EntityID
  package var sequelID: Book.EntityID?

  package init(
    rawID: String, title: String, authorID: Author.EntityID, sequelID: Book.EntityID? = nil
  ) {
    self.rawID = rawID
    self.title = title
    self.authorID = authorID
    self.sequelID = sequelID
  }
}

package struct Shelf: EntityType, Identifiable, Codable {
  package let id: Int
  package var bookIDs: [Book.EntityID]

  package init(id: Int, bookIDs: [Book.EntityID]) {
    self.id = id
    self.bookIDs = bookIDs
  }
}

package struct Loan: EntityType, Identifiable, Codable {
  package let id: Int
  package let bookID: Book.EntityID

  package init(id: Int, bookID: Book.EntityID) {
    self.id = id
    self.bookID = bookID
  }
}

/// A library: four tables, and a relationship with each delete rule. The storage is written by
/// hand, as in the documentation of `NormalizedStorageType`.
package struct Library: NormalizedStorageType, Codable {
  package struct Contents: StorageContents {
    package var authors = Tables.Hash<Author>()
    package var books = Tables.Hash<Book>()
    package var shelves = Tables.Hash<Shelf>()
    package var loans = Tables.Hash<Loan>()
    package var bookAuthor = ToOne<Book, Author>(\.authorID, onDelete: .cascade)
    package var bookSequel = ToOne<Book, Book>(\.sequelID, onDelete: .nullify)
    package var shelfBooks = ToMany<Shelf, Book>(\.bookIDs, onDelete: .nullify)
    package var loanBook = ToOne<Loan, Book>(\.bookID)

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
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

  package typealias Refusal = any Error

  package var snapshot = Snapshot(Contents())
  package var authors: Tables.Hash<Author> { snapshot.contents.authors }
  package var books: Tables.Hash<Book> { snapshot.contents.books }
  package var shelves: Tables.Hash<Shelf> { snapshot.contents.shelves }
  package var loans: Tables.Hash<Loan> { snapshot.contents.loans }

  package init() {}
}

extension Library {
  /// Two authors, three books, a shelf and no loans.
  package static func sample() throws -> Library {
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
