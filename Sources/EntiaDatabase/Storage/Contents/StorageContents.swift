/// What a database is made of: its tables, relationships and indexes as plain stored properties.
///
/// ```swift
/// struct Contents: StorageContents {
///   var authors = Tables.Hash<Author>()
///   var books = Tables.Hash<Book>()
///   var bookAuthor = ToOne<Book, Author>(\.authorID, onDelete: .cascade)
///
///   static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
///   where Visitor.Contents == Self {
///     visitor.table("authors", \.authors)
///     visitor.table("books", \.books)
///     visitor.relationship("bookAuthor", \.bookAuthor)
///   }
/// }
/// ```
///
/// There may be one table of an entity type. Everything that Entia does with a database as a whole
/// follows from the list of its parts.
public protocol StorageContents: Sendable {
  /// Shows every part to the visitor, by name, in the order of their declaration.
  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self

  /// The key paths `\Book.entityID` of the entities, by which a fetch recognizes the primary key in a
  /// predicate such as `#Predicate { $0.entityID == id }`.
  ///
  /// Written where the entities' types are known, as in `[\Author.entityID, \Book.entityID]`; empty
  /// by default. A stored `id` of an `Identifiable` entity is recognized without it.
  static var entityIDPaths: [AnyKeyPath] { get }
}

extension StorageContents {
  /// No key paths: a predicate on `entityID` scans the table.
  public static var entityIDPaths: [AnyKeyPath] { [] }
}

/// What is shown the parts of a database.
public protocol StorageVisitor {
  /// The contents whose parts are shown.
  associatedtype Contents: StorageContents

  /// Is shown a table. The path must lead to a stored property.
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable)

  /// Is shown an index. The path must lead to a stored property.
  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable)

  /// Is shown a check. The path must lead to a stored property.
  mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable)

  /// Is shown a relationship. The path must lead to a stored property.
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable)
}

extension StorageVisitor {
  /// Passes over the table.
  @inlinable
  @inline(__always)
  public mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {}

  /// Passes over the index.
  @inlinable
  @inline(__always)
  public mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {}

  /// Passes over the check.
  @inlinable
  @inline(__always)
  public mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable
  ) {}

  /// Passes over the relationship.
  @inlinable
  @inline(__always)
  public mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {}
}
