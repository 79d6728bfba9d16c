import Entia

func findsByTheIDOfAnotherEntity(_ library: Library, _ id: Author.EntityID) -> Book? {
  library.books.find(by: id)
  // error: cannot convert value of type 'Author.EntityID' (aka 'EntityIdentifier<Author>')
  //   to expected argument type 'EntityIdentifier<Book>'
}

func givesAKeyTheIDOfAnotherEntity(_ book: inout Book, _ tag: Tag) {
  book.authorID = tag.entityID
  // error: cannot assign value of type 'EntityIdentifier<Tag>'
  //   to type 'Author.EntityID' (aka 'EntityIdentifier<Author>')
}

func comparesIDsOfTwoEntities(_ book: Book, _ author: Author) -> Bool {
  book.entityID == author.entityID
  // error: binary operator '==' cannot be applied to operands of type 'EntityIdentifier<Book>'
  //   and 'EntityIdentifier<Author>'
}

func writesWithoutABatch(_ library: inout Library, _ book: Book) {
  library.books.insert(book)
  // error: 'insert' is unavailable: the tables of a storage are changed in 'performBatchUpdates' or
  //   'store.batch'
  library.tags.append(Tag(id: 1))
  // error: 'append' is unavailable: the tables of a storage are changed in 'performBatchUpdates' or
  //   'store.batch'
  library.books.remove(book.entityID)
  // error: 'remove' is unavailable: the tables of a storage are changed in 'performBatchUpdates' or
  //   'store.batch'
  library.books.updateIfExists(id: book.entityID) { $0.year = 0 }
  // error: 'updateIfExists(id:_:)' is unavailable: the tables of a storage are changed in
  //   'performBatchUpdates' or 'store.batch'
}

func writesATableOfItsOwn(_ table: inout Tables.Hash<Book>, _ book: Book) {
  table.insert(book)
  table.insert([book])
  table.updateIfExists(id: book.entityID) { $0.year = 0 }
  table.remove(book.entityID)
  table.removeAll()
}

/// All drafts without an ID would be one.
struct Unsaved: EntityType, Identifiable {
  // error: type 'Unsaved' does not conform to protocol 'EntityType'
  // error: unavailable property 'entityID' was used to satisfy a requirement of protocol
  //   'EntityType': an ID must not be optional, because all entities whose ID is nil would be one;
  //   give each a value, such as a UUID, or declare 'entityID' yourself
  var id: Int?
}

struct Named: EntityType, Identifiable {
  var id: Int?
  var name: String
  var entityID: EntityIdentifier<Named> { .init(id ?? 0) }
}
