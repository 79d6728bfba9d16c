/// The key path of a part of a database: of a table, a relationship, an index or a check.
public typealias PartPath<Contents, Part> = any WritableKeyPath<Contents, Part> & Sendable

/// A visitor of the parts of a database.
public protocol StorageVisitor {
  /// The contents whose parts are visited.
  associatedtype Contents: StorageContents

  /// Visits a table. The path must lead to a stored property.
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>)

  /// Visits an index. The path must lead to a stored property.
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>)

  /// Visits a check. The path must lead to a stored property.
  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>)

  /// Visits a relationship. The path must lead to a stored property.
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>)
}

extension StorageVisitor {
  /// Ignores the table.
  @inlinable
  @inline(__always)
  public mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {}

  /// Ignores the index.
  @inlinable
  @inline(__always)
  public mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {}

  /// Ignores the check.
  @inlinable
  @inline(__always)
  public mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {}

  /// Ignores the relationship.
  @inlinable
  @inline(__always)
  public mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {}
}
