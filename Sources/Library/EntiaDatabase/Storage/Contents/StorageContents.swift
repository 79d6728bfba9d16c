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
