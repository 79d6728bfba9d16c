public import EntiaDatabase
public import EntiaStore
public import EntiaTestDomains

/// The state of a store with a shared database.
public struct SharedState<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The shared database.
  public var storage: Storage
  /// A part that is not shared.
  public var other = 0

  /// Creates a state.
  public init(storage: Storage) { self.storage = storage }
}

/// A store with a shared database.
public typealias SharedStore<Storage: NormalizedStorageType> = Store<SharedState<Storage>, Never>

extension Store {
  /// Commits a batch of the shared part.
  public func edit<Storage: NormalizedStorageType>(
    _ name: String? = nil, _ body: (inout BatchContext<Storage>) throws -> Void
  ) throws where State == SharedState<Storage> {
    try tryCommit(name) { state in
      try state.storage.performBatchUpdates { try body(&$0) }
    }
  }
}

extension Store where State == SharedState<Library> {
  /// Commits an author.
  public func setAuthor(_ id: String, _ name: String) throws {
    try edit { $0.modifying.authors.insert(Author(id: id, name: name)) }
  }

  /// Commits the book of a test.
  public func setBook(_ title: String, by author: String) throws {
    try edit {
      $0.modifying.books.insert(Book(rawID: "book", title: title, authorID: .init(author)))
    }
  }

  /// Returns the name of an author.
  public func author(_ id: String) -> String? { state.storage.authors.find(by: .init(id))?.name }
}

extension Store where State == SharedState<Feed> {
  /// Commits a user.
  public func setUser(_ id: Int, _ email: String) throws {
    try edit("user \(id)") { $0.modifying.users.insert(User(id: id, email: email)) }
  }

  /// Returns the address of a user.
  public func email(_ id: Int) -> String? {
    state.storage.snapshot.contents.users.find(by: .init(id))?.email
  }
}
