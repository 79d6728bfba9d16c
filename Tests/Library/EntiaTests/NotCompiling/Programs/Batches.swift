import Entia

/// Its relationship denies, as it does by default.
@NormalizedStorage
struct Strict {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID)
}

func passesOverARefusal(_ storage: inout Strict, _ author: Author) {
  storage.performBatchUpdates { $0.modifying.authors.insert(author) }
  // error: call can throw, but it is not marked with 'try' and the error is not handled
}

func passesOverARefusal(_ store: Store<Strict, Never>, _ author: Author) {
  store.batch { $0.authors.insert(author) }
  // error: call can throw, but it is not marked with 'try' and the error is not handled
}
