import Entia
import EntiaJSON
import EntiaRecords
import Foundation

@Entity
private struct Author {
  let id: String
  var name: String
  var email: String
}

@Entity
private struct Book {
  let id: String
  var title: String
  var year: Int
  var summary: String?
  let authorID: Author.EntityID
}

@Entity
private struct Shelf {
  let id: Int
  var bookIDs: [Book.EntityID]
}

@Entity private struct Person { let id: Int }
@Entity private struct Team { let id: Int }

@Entity
private struct Membership {
  let id: Int
  let person: Person.EntityID
  let team: Team.EntityID
}

@NormalizedStorage
private struct Library {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Table var shelves: Tables.Hash<Shelf> = .init()
  @Table var people: Tables.Hash<Person> = .init()
  @Table var teams: Tables.Hash<Team> = .init()
  @Table var memberships: Tables.Hash<Membership> = .init()
  @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
  @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
  @Relationship var shelfBooks: ToMany<Shelf, Book> = .init(\.bookIDs, onDelete: .nullify)
  @Relationship var memberPerson: ToOne<Membership, Person> = .init(\.person, onDelete: .cascade)
  @Relationship var memberTeam: ToOne<Membership, Team> = .init(\.team, onDelete: .cascade)
}

@NormalizedStorage
private struct OpenLibrary {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
}

private struct AppState: StateType {
  var library = OpenLibrary()
  var isStarred = false
}

private struct PostPage: EntityShape, Equatable, Sendable {
  let title: String
  init(_ book: ResolvingView<OpenLibrary, Book>) { title = book.title }
}

nonisolated(unsafe) private var library = Library()
nonisolated(unsafe) private var mine = Library()
private let theirs = Library()
private let before = Library()
private let author = Author(id: "a1", name: "Ursula", email: "a@b.c")
private let payload = Book(id: "b1", title: "t", year: 1, authorID: "a1")
private let person: EntityView<Library, Person> = library.view(of: Person.EntityID(1))!
private let page = library.fetchPage(FetchDescriptor<Book>())
private let descriptor = FetchDescriptor<Book>()
private let id: Book.EntityID = "b1"
