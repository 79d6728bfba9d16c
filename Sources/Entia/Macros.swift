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
/// `NormalizedStorageType`. The marked properties read that version.
///
/// Batches throw where a part can refuse them: a relationship with the delete rule `.deny`, which is
/// the default, with `count:` or `required()`; an `Indexes.Unique`; a `@Check`; a
/// `finalizeTransaction` that throws. Such a storage gets `typealias Refusal = any Error`, unless it
/// has a `Refusal` of its own or a `finalizeTransaction` with a typed throws. All others need no
/// `try`. A rule that the macro cannot read, such as one in a variable, counts as one that refuses.
///
/// A part of an entity type without a table, and a second table of an entity type, do not compile.
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
/// The type may be left out where the value names it:
/// `@Index var recent = Indexes.Sorted(by: \Book.authorID, .descending(\.year))`.
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

/// Makes a property of a `@NormalizedStorage` struct one of its checks, such as
/// `@Check var year: Checks.Entity<Book> = .init("the year is positive") { $0.year > 0 }`.
///
/// The storage refuses a batch that a check does not accept.
@attached(accessor)
public macro Check() = #externalMacro(module: "EntiaMacros", type: "CheckMacro")
