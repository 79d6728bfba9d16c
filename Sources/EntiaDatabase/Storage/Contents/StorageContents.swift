/// The parts of a database: its tables, relationships and indexes as plain stored properties.
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
/// An entity type may have one table. Every operation of Entia on a database as a whole uses the
/// list of its parts.
public protocol StorageContents: Sendable {
  /// Calls the visitor with every part and its name, in the order of their declaration.
  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self

  /// The key paths `\Book.entityID` of the entities. By them, a fetch recognizes the primary key
  /// in a predicate such as `#Predicate { $0.entityID == id }`.
  ///
  /// They are written where the types of the entities are known, as in `[\Author.entityID,
  /// \Book.entityID]`; empty by default. A stored `id` of an `Identifiable` entity is recognized
  /// without them.
  static var entityIDPaths: [AnyKeyPath] { get }
}

extension StorageContents {
  /// Empty: a predicate on `entityID` scans the table.
  public static var entityIDPaths: [AnyKeyPath] { [] }
}

/// A visitor of the parts of a database.
public protocol StorageVisitor {
  /// The contents whose parts are visited.
  associatedtype Contents: StorageContents

  /// Visits a table. The path must lead to a stored property.
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable)

  /// Visits an index. The path must lead to a stored property.
  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable)

  /// Visits a check. The path must lead to a stored property.
  mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable)

  /// Visits a relationship. The path must lead to a stored property.
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable)
}

extension StorageVisitor {
  /// Ignores the table.
  @inlinable
  @inline(__always)
  public mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {}

  /// Ignores the index.
  @inlinable
  @inline(__always)
  public mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {}

  /// Ignores the check.
  @inlinable
  @inline(__always)
  public mutating func check<Check: CheckType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Check> & Sendable
  ) {}

  /// Ignores the relationship.
  @inlinable
  @inline(__always)
  public mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {}
}
