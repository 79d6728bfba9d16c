/// Makes a struct a database: the tables, indexes and relationships that its properties declare,
/// changed in batches and read as plain values.
///
/// ```swift
/// @NormalizedStorage
/// struct Library {
///   @Table var authors: Tables.Hash<Author> = .init()
///   @Table var books: Tables.Hash<Book> = .init()
///   @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
/// }
/// ```
///
/// The macro writes what one would write by hand: the parts as stored properties of a nested struct
/// `Contents`, the property `snapshot` that holds a version of it, and the conformance to
/// `NormalizedStorageType`. The marked properties read that version. A storage with a rule that can
/// refuse a batch, an index or a relationship, gets `typealias Refusal = any Error`, unless it has a
/// `Refusal` of its own or a `finalizeTransaction` with a typed throws.
@attached(member, names: named(Contents), named(snapshot), named(Refusal), named(init))
@attached(extension, conformances: NormalizedStorageType)
public macro NormalizedStorage() =
  #externalMacro(module: "EntiaMacros", type: "NormalizedStorageMacro")

/// Makes a property of a `@NormalizedStorage` struct one of its tables, such as
/// `@Table var books: Tables.Hash<Book> = .init()`.
///
/// There may be one table of an entity type. The property reads the table; batches change it.
@attached(accessor)
public macro Table() = #externalMacro(module: "EntiaMacros", type: "TableMacro")

/// Makes a property of a `@NormalizedStorage` struct one of its indexes, such as
/// `@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)`.
///
/// The storage keeps the index in step with the rows; the property reads it.
@attached(accessor)
public macro Index() = #externalMacro(module: "EntiaMacros", type: "IndexMacro")

/// Makes a property of a `@NormalizedStorage` struct one of its relationships, such as
/// `@Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)`.
///
/// The storage keeps both directions of the relationship up to date; the property reads them.
@attached(accessor)
public macro Relationship() = #externalMacro(module: "EntiaMacros", type: "RelationshipMacro")
