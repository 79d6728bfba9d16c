import Entia

@NormalizedStorage
struct Incomplete {
  @Table var books: Tables.Hash<Book> = .init()

  @Relationship var bookTags: ToMany<Book, Tag> = .init(\.tagIDs, onDelete: .nullify)
  // error: 'table(of:_:)' is unavailable: 'Tag' has no table in this storage; add
  //   '@Table var rows: Tables.Hash<Tag> = .init()'
  @Relationship var author: BookAuthor = .init(\.authorID, onDelete: .cascade)
  // error: 'table(of:_:)' is unavailable: 'Author' has no table in this storage; add
  //   '@Table var rows: Tables.Hash<Author> = .init()'
  @Index var tags: Indexes.OrderedID<Tag> = .init()
  // error: 'table(of:_:)' is unavailable: 'Tag' has no table in this storage; add
  //   '@Table var rows: Tables.Hash<Tag> = .init()'
  @Check var name: Checks.Entity<Author> = .init("there is a name") { $0.name != "" }
  // error: 'table(of:_:)' is unavailable: 'Author' has no table in this storage; add
  //   '@Table var rows: Tables.Hash<Author> = .init()'
  @Index var volumesByYear: Indexes.Hash<Volume, Int> = .init(\.year)
}

/// Its relationship does not show the names of the entity types.
@NormalizedStorage
struct Unnamed {
  @Table var books: Tables.Hash<Book> = .init()
  @Relationship var author: BookAuthor = .init(\.authorID, onDelete: .cascade)
  // error: 'table(of:_:)' is unavailable: a part is of an entity type that has no table
  //   in this storage; add its table
}

/// Inside a function Swift allows no macro that adds a conformance.
func makeStorage() {
  @NormalizedStorage
  struct Local {
    // error: local type cannot have attached extension macro
    @Table var books: Tables.Hash<Book> = .init()
  }
}

@NormalizedStorage
struct Ambiguous {
  @Table var books: Tables.Hash<Book> = .init()
  @Table var volumes: Tables.Ordered<Volume> = .init()
  // error: invalid redeclaration of 'table(of:)'
  @Table var others: Tables.Hash<Book> = .init()
  // error: 'others' is a second table of 'Book'; a storage has one table for an entity type:
  //   remove one, or use another entity type for these rows (from macro 'NormalizedStorage')
}

@NormalizedStorage
struct Collections {
  @Table var books: [Book]
  // error: '[Book]' is not a table; write 'Tables.Hash<Book>', or 'Tables.Ordered<Book>' for rows
  //   in an order of your own (from macro 'NormalizedStorage')
  @Table var tags: Tables.Hash<Tag>? = nil
  // error: 'tags' is never nil: a table without rows is empty; write 'Tables.Hash<Tag>'
  //   (from macro 'NormalizedStorage')
  @Relationship var bookTags: ToMany<Book, Tag> = .init(\.tagIDs, onDelete: .nullify)
}

enum Scope {
  @NormalizedStorage
  private struct Hidden {
    // error: a storage nested in another type must be visible in its file; make it 'fileprivate',
    //   or write ': NormalizedStorageType' after its name (from macro 'NormalizedStorage')
    @Table var books: Tables.Hash<Book> = .init()
  }
}

/// Only types of Entia are tables, because a storage reads them in memory.
struct Volumes: TableType {
  // error: type 'Volumes' does not conform to protocol 'TableType'
  // error: type 'Volumes' does not conform to protocol 'Sequence'
  typealias Entity = Book
}

struct Bookmarks: HeldIDs {
  // error: type 'Bookmarks' does not conform to protocol 'HeldIDs'
  // error: type 'Bookmarks' does not conform to protocol 'Sequence'
  typealias Entity = Book
}
