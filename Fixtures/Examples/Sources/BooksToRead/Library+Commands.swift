import Entia
import Foundation

extension Library {
  /// Adds a book at the end of the reading list, and its author unless the library has the name.
  mutating func add(_ title: String, by name: String) {
    let authorID = Author.EntityID(name.lowercased())
    let bookID = (fetchMaximum(FetchDescriptor<Book>(), of: \.id) ?? 0) + 1
    performBatchUpdates { context in
      if !context.modifying.authors.contains(authorID) {
        context.modifying.authors.insert(Author(id: authorID.raw, name: name))
      }
      context.modifying.books.insert(Book(id: bookID, title: title, authorID: authorID))
      context.modifying.readingList.append(.init(bookID))
    }
  }

  /// Moves a book to a place in the reading list, counted from 1.
  mutating func move(_ id: Book.EntityID, to place: Int) {
    performBatchUpdates { $0.modifying.readingList.move(id, to: place - 1) }
  }

  /// Marks a book as read and removes it from the reading list.
  mutating func read(_ id: Book.EntityID) {
    performBatchUpdates { context in
      context.modifying.books[id]?.isRead = true
      context.modifying.readingList.remove(id)
    }
  }

  /// Removes an author with all books.
  /// - Returns: What was removed, and why.
  mutating func forget(_ name: String) throws -> String {
    let removal = plan(deleting: Author.EntityID(name.lowercased()))
    try performBatchUpdates { try $0.remove(removal) }
    return "\(removal)"
  }

  /// The reading list, a line for each book.
  var listing: String {
    let lines = readingList.enumerated().compactMap { index, id in
      view(of: id).map { book in
        "\(index + 1). \(book.title), \(book[\.bookAuthor]?.name ?? "unknown") (book \(book.id))"
      }
    }
    return lines.isEmpty ? "nothing to read" : lines.joined(separator: "\n")
  }
}
