import Entia
import Foundation

@Entity
private struct Author {
  let id: String
  var name: String
  var email: String?
}

@Entity
private struct Book {
  let id: String
  var title: String
  var year: Int
  var authorID: Author.EntityID
  var summary: String?
  var isRead = false
}

@Entity
private struct Shelf {
  let id: Int
  var name: String
  var bookIDs: [Book.EntityID]
}

@NormalizedStorage
private struct Library: Codable {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Table var shelves: Tables.Ordered<Shelf> = .init()

  @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
  @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
  @Index var favorites: Indexes.OrderedID<Book> = .init()

  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
  @Relationship var shelfBooks: ToMany<Shelf, Book> = .init(\.bookIDs, onDelete: .nullify)
}

private struct AppState: StateType {
  var library = Library()
  var searchText = ""
}

nonisolated(unsafe) private var library = Library()
private let store = Store<AppState, Never>(initialState: AppState())
private let author = Author(id: "a1", name: "Ursula", email: "ursula@example.com")
private let book = Book(id: "b1", title: "The Dispossessed", year: 1974, authorID: "a1")
private let newAuthors = [author]
private let newBooks = [book]
private let ids: [Book.EntityID] = ["b2", "b1"]
