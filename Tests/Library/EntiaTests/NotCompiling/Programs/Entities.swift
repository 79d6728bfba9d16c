import Entia

// What the other programs of this folder are about. There is nothing wrong with it.

struct Author: EntityType, Identifiable {
  let id: String
  var name: String
}

struct Book: EntityType, Identifiable {
  let id: String
  var year: Int
  var authorID: Author.EntityID
  var editorID: Author.EntityID?
  let translatorID: Author.EntityID?
  var tagIDs: [Tag.EntityID]
}

struct Tag: EntityType, Identifiable {
  let id: Int
}

typealias Volume = Book
typealias BookAuthor = ToOne<Book, Author>

/// No part can refuse a batch.
@NormalizedStorage
struct Library {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Table var tags: Tables.Ordered<Tag> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
  @Relationship var bookEditor: ToOne<Book, Author> = .init(\.editorID, onDelete: .nullify)
  @Relationship var bookTags: ToMany<Book, Tag> = .init(\.tagIDs, onDelete: .nullify)
  @Index var byYear: Indexes.Sorted<Book, Int> = .init(\.year)
}

struct AppState: Equatable {
  var library = Library()
  var count = 0
}

final class Draft {
  @Transient
  var isOpen = false
  // error: '@Transient' marks a stored property of a struct that is an entity
  //   (from macro 'Transient')
}
