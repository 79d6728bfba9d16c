import EntiaDatabase
import EntiaTestDomains

struct AuthorCard: EntityShape, Equatable, Encodable {
  let name: String
  let titles: [String]

  init(_ author: ResolvingView<Library, Author>) {
    name = author.name
    titles = author[inverse: \.bookAuthor].map(\.title)
  }
}

struct BookCard: EntityShape, Equatable, Encodable {
  let title: String
  let author: AuthorCard?
  let sequel: String?

  init(_ book: ResolvingView<Library, Book>) {
    title = book.title
    author = book[\.bookAuthor, as: AuthorCard.self]
    sequel = book[\.bookSequel]?.title
  }
}

struct ShelfCard: EntityShape, Equatable, Encodable {
  let books: [BookCard]
  let loans: [Int]

  init(_ shelf: ResolvingView<Library, Shelf>) {
    books = shelf[\.shelfBooks, as: BookCard.self]
    loans = shelf[\.shelfBooks].flatMap { $0[inverse: \.loanBook].map(\.id) }
  }
}

/// A book and what follows it, which may be itself.
struct Series: EntityShape, Equatable, Encodable {
  let id: String
  let sequels: [Series]

  init(_ book: ResolvingView<Library, Book>) {
    id = book.rawID
    sequels = book[\.bookSequel, as: Series.self].map { [$0] } ?? []
  }
}

extension Series {
  /// The IDs along the nesting.
  var ids: [String] {
    var ids = [id]
    var rest = sequels
    while let next = rest.first {
      ids.append(next.id)
      rest = next.sequels
    }
    return ids
  }
}
