/// Turns a struct into a database. The properties of the struct declare tables, indexes,
/// relationships and checks. Batches change the database; reads return plain values.
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
/// The macro generates a nested struct `Contents` with a stored property for each part, the
/// property `snapshot` with a version of the contents, and the conformance to
/// `NormalizedStorageType`. A property marked with `@Table`, `@Index` or `@Relationship` reads its
/// part of the version in `snapshot`.
///
/// Batches are throwing if a part can refuse them. Such parts are an `Indexes.Unique`, a `@Check`,
/// a `finalizeTransaction` that throws, and a relationship with `count:`, `holders(_:)`,
/// `required()` or the default delete rule `.deny`. For such a storage, the macro adds
/// `typealias Refusal = any Error` if the struct declares neither a `Refusal` nor a
/// `finalizeTransaction` with typed throws. Batches of all other storages need no `try`. If the
/// macro cannot parse a rule, such as a rule in a variable, it assumes that the rule can refuse
/// batches.
///
/// Each entity type that a part uses must have exactly one table. Otherwise the storage does not
/// compile.
///
/// A storage may be private and may be nested in another type. Inside a function, Swift does not
/// allow macros that add a conformance. Write the declarations of such a storage by hand.
@attached(member, names: named(Contents), named(snapshot), named(Refusal), named(init))
@attached(extension, conformances: NormalizedStorageType)
public macro NormalizedStorage() =
  #externalMacro(module: "EntiaMacros", type: "NormalizedStorageMacro")

/// Declares a property of a `@NormalizedStorage` struct as one of its tables, such as
/// `@Table var books: Tables.Hash<Book> = .init()`.
///
/// An entity type has at most one table. The property reads the table; batches change the table.
@attached(accessor)
public macro Table() = #externalMacro(module: "EntiaMacros", type: "TableMacro")

/// Declares a property of a `@NormalizedStorage` struct as one of its indexes, such as
/// `@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)`.
///
/// The type may be omitted if the value contains it:
/// `@Index var recent = Indexes.Sorted(by: \Book.authorID, .descending(\.year))`.
///
/// The storage updates the index with the rows; the property reads the index.
@attached(accessor)
public macro Index() = #externalMacro(module: "EntiaMacros", type: "IndexMacro")

/// Declares a property of a `@NormalizedStorage` struct as one of its relationships, such as
/// `@Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)`.
///
/// The storage updates both directions of the relationship; the property reads them.
@attached(accessor)
public macro Relationship() = #externalMacro(module: "EntiaMacros", type: "RelationshipMacro")

/// Declares a property of a `@NormalizedStorage` struct as one of its checks, such as
/// `@Check var year: Checks.Entity<Book> = .init("the year is positive") { $0.year > 0 }`.
///
/// The storage refuses a batch that violates a check.
@attached(accessor)
public macro Check() = #externalMacro(module: "EntiaMacros", type: "CheckMacro")

/// Declares a property of an entity as a transient member, such as
/// `@Transient var isExpanded = false`. The member is not encoded, but is otherwise like any other
/// member.
///
/// After decoding, the member has its declared value. The type may be omitted if the value is a
/// literal, and the value may be omitted for an optional. Writing the member changes the entity.
@attached(accessor, names: named(init), named(get), named(_modify))
@attached(peer, names: prefixed(_), suffixed(TransientDefault), suffixed(TransientValue))
public macro Transient() = #externalMacro(module: "EntiaMacros", type: "TransientMacro")

/// Turns a struct into an entity, which is a value with an identity. Generated code reads, writes
/// and merges its members.
///
/// ```swift
/// @Entity
/// struct Post {
///   let id: String
///   var title: String
///   var summary: String?
///   @Stored("author") var authorID: Author.EntityID
///   var rating = 3
///   @Transient var isExpanded = false
/// }
/// ```
///
/// The macro adds the conformances to `EntityType`, `Identifiable`, `RowCodable` and `Codable` that
/// the struct does not declare itself. The entity is also equatable and sendable. If the struct
/// declares its own `Codable` conformance, coders such as `JSONEncoder` use that conformance, but
/// Entia uses the generated code.
///
/// Entia writes the stored properties to a row, except constants with a value, lazy properties and
/// properties marked with ``Transient()``. A row that is read may lack a property that has a
/// declared value or an optional type; the property then has the declared value or is `nil`. A
/// stored property must not have a type such as `Int??`, because rows have only one kind of `nil`.
///
/// By default, the property `id` is the ID. Pass the name of another property to use it as the ID,
/// or several names to use the values of these properties together:
///
/// ```swift
/// @Entity(id: "slug")
/// struct Tag {
///   let slug: String
/// }
///
/// @Entity(id: "shelf", "position")
/// struct Place {
///   let shelf: Int
///   let position: Int
///   var bookID: Book.EntityID?
/// }
/// ```
///
/// In these cases, the macro adds the property `id`. If several properties form the ID, the type of
/// `id` is a nested struct `ID`, as in `Place.ID(shelf: 1, position: 2)`.
///
/// An entity nested in another type must not be private. Inside a function, Swift does not allow
/// macros that add a conformance. Write the conformance of such an entity by hand.
/// - Parameter id: The names of the stored properties that are the ID; by default, `id`.
@attached(
  member, names: named(id), named(ID), named(entityID), named(EntityIDRawType))
@attached(
  extension, conformances: EntityType, Identifiable, RowCodable, Decodable, Encodable,
  names: named(init), named(write), named(encode))
public macro Entity(id: String...) = #externalMacro(module: "EntiaMacros", type: "EntityMacro")

/// Declares another name for a property of an `@Entity` in rows, such as
/// `@Stored("author") var authorID: Author.EntityID`.
///
/// If a row lacks the new name, the value is read under an old name. The old names are never
/// written. `nil` is written as null under the new name, so that no old name is read instead. For
/// example: `@Stored("title", renamedFrom: "name") var heading: String`.
/// - Parameters:
///   - name: The name in rows.
///   - oldNames: The names in older rows.
@attached(peer)
public macro Stored(_ name: String, renamedFrom oldNames: String...) =
  #externalMacro(module: "EntiaMacros", type: "StoredMacro")

/// Declares names that a property of an `@Entity` had in older rows, such as
/// `@Stored(renamedFrom: "name") var title: String`.
///
/// If a row lacks the current name, the value is read under an old name. The old names are never
/// written. `nil` is written as null under the current name, so that no old name is read instead.
/// - Parameter oldNames: The names in older rows.
@attached(peer)
public macro Stored(renamedFrom oldNames: String...) =
  #externalMacro(module: "EntiaMacros", type: "StoredMacro")
