import EntiaDatabase
import EntiaPostgreSQL
import EntiaStore
import EntiaTestDomains

extension Store {
  /// Commits a batch of the shared part.
  func edit<Storage: NormalizedStorageType>(
    _ name: String? = nil, _ body: (inout BatchContext<Storage>) throws -> Void
  ) throws where State == SharedState<Storage> {
    try tryCommit(name) { state in
      try state.storage.performBatchUpdates { try body(&$0) }
    }
  }
}

extension Store where State == SharedState<Library> {
  /// Commits an author.
  func setAuthor(_ id: String, _ name: String) throws {
    try edit { $0.modifying.authors.insert(Author(id: id, name: name)) }
  }

  /// Commits the book of a test.
  func setBook(_ title: String, by author: String) throws {
    try edit {
      $0.modifying.books.insert(Book(rawID: "book", title: title, authorID: .init(author)))
    }
  }

  func author(_ id: String) -> String? { state.storage.authors.find(by: .init(id))?.name }
}

extension Store where State == SharedState<Feed> {
  /// Commits a user.
  func setUser(_ id: Int, _ email: String) throws {
    try edit("user \(id)") { $0.modifying.users.insert(User(id: id, email: email)) }
  }

  func email(_ id: Int) -> String? {
    state.storage.snapshot.contents.users.find(by: .init(id))?.email
  }
}
