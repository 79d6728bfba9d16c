import Entia

@Entity
struct Author {
  let id: String
  var name: String
}

@Entity
struct Book {
  let id: Int
  var title: String
  var isRead = false
  let authorID: Author.EntityID
}

@NormalizedStorage
struct Library: Codable {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  /// The books to read, in the order of the reader.
  @Index var readingList: Indexes.OrderedID<Book> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}
