import Entia

@NormalizedStorage
struct Mismatched {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var books: Tables.Hash<Book> = .init()
  @Table var tags: Tables.Hash<Tag> = .init()

  @Relationship var toAnother: ToOne<Book, Tag> = .init(\.authorID, onDelete: .cascade)
  // error: cannot convert value of type 'KeyPath<Book, EntityIdentifier<Author>>'
  //   to expected argument type 'KeyPath<Book, EntityIdentifier<Tag>>'
  @Relationship var noKey: ToOne<Book, Author> = .init(\.id, onDelete: .cascade)
  // error: cannot convert value of type 'KeyPath<Book, String>'
  //   to expected argument type 'KeyPath<Book, EntityIdentifier<Author>>'

  @Relationship var nullified: ToOne<Book, Author> = .init(\.authorID, onDelete: .nullify)
  // error: 'nullify' is unavailable: this key cannot be emptied; make it an optional, a list or
  //   a set declared with 'var', and write '.nullify' without 'DeleteRule'; or use '.cascade',
  //   '.deny' or '.keepDangling'
  @Relationship var constant: ToOne<Book, Author> = .init(\.translatorID, onDelete: .nullify)
  // error: 'nullify' is unavailable: this key cannot be emptied; make it an optional, a list or
  //   a set declared with 'var', and write '.nullify' without 'DeleteRule'; or use '.cascade',
  //   '.deny' or '.keepDangling'

  @Relationship var named: ToOne<Book, Author> = .init(\.editorID, onDelete: DeleteRule.nullify)
  // error: 'nullify' is unavailable: this key cannot be emptied; make it an optional, a list or
  //   a set declared with 'var', and write '.nullify' without 'DeleteRule'; or use '.cascade',
  //   '.deny' or '.keepDangling'

  @Relationship var many: ToMany<Book, Author> = .init(\.authorID, onDelete: .cascade)
  // error: 'init(_:onDelete:onHolderDelete:count:)' is unavailable: this key references one entity;
  //   declare the relationship as 'ToOne'
  @Relationship var one: ToOne<Book, Tag> = .init(\.tagIDs, onDelete: .cascade)
  // error: 'init(_:onDelete:onHolderDelete:)' is unavailable: this key references several entities;
  //   declare the relationship as 'ToMany'
  @Relationship var counted: ToOne<Book, Author> = .init(\.editorID, count: .atLeast(1))
  // error: 'init(_:onDelete:onHolderDelete:count:)' is unavailable: a 'ToOne' references at most
  //   one entity; a key that is not optional always references one
  @Relationship var limited: ToOne<Book, Author> = .init(\.authorID, count: .atMost(3))
  // error: 'init(_:onDelete:onHolderDelete:count:)' is unavailable: a 'ToOne' references one
  //   entity; '.holders(_:)' limits how many reference it
}

func readsTheKeyFromTheOtherEnd(_ library: Library, _ id: Author.EntityID) {
  _ = library.view(of: id)?[\.bookAuthor]
  // error: 'subscript(_:)' is unavailable: this entity is the target of the relationship, so it has
  //   no key; write '[inverse: …]'
}

func readsHoldersFromTheOtherEnd(_ library: Library, _ id: Book.EntityID) {
  _ = library.view(of: id)?[inverse: \.bookAuthor]
  // error: 'subscript(inverse:)' is unavailable: this entity has the relationship's key; write
  //   '[…]' without 'inverse:'
}
