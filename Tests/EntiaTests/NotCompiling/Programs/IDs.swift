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
  // error: cannot use mutating member on immutable value: 'books' is a get-only property
}
