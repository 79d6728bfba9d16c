public import EntiaDatabase

/// A database on which the laws are checked, and the random edits of it.
///
/// Few IDs, 0 to 5, make collisions and therefore bugs frequent:
///
/// ```swift
/// struct Author: EntityType, Identifiable {
///   let id: Int
///   var name: String
/// }
///
/// struct Authors: NormalizedStorageType {
///   struct Contents: StorageContents {
///     var authors = Tables.Hash<Author>()
///     static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
///     where Visitor.Contents == Self { visitor.table("authors", \.authors) }
///   }
///   var snapshot = Snapshot(Contents())
/// }
///
/// enum AuthorsSubject: LawSubject {
///   static func edit(
///     _ context: inout BatchContext<Authors>, using random: inout SeededGenerator
///   ) throws {
///     let id = random.number(in: 0..<6)
///     if random.oneIn(3) {
///       context.modifying.authors.remove(.init(id))
///     } else {
///       context.modifying.authors.insert(Author(id: id, name: "\(random.number(in: 0..<3))"))
///     }
///   }
/// }
///
/// try StorageLaws(AuthorsSubject.self).check()   // in a test of any framework
/// ```
///
/// An edit must depend only on the random numbers and on what the batch reads, because the laws
/// repeat edits.
public protocol LawSubject {
  /// The database.
  associatedtype Storage: NormalizedStorageType

  /// Creates the database with which every history starts.
  static func makeStorage() -> Storage

  /// Performs one small random edit. An error that it throws refuses the batch, which is not a
  /// violation.
  static func edit(
    _ context: inout BatchContext<Storage>, using random: inout SeededGenerator) throws
}

extension LawSubject {
  /// Creates the storage with its own initializer.
  public static func makeStorage() -> Storage { Storage() }
}
