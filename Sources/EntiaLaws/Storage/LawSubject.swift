public import EntiaDatabase

/// A database that the laws are to be checked on: says how to make random edits of it.
///
/// Few IDs, 0 to 5, make collisions, and so bugs, common:
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
/// What an edit does may depend on the random numbers and on what the batch reads, on nothing else:
/// the laws repeat edits.
public protocol LawSubject {
  /// The database.
  associatedtype Storage: NormalizedStorageType

  /// Creates the database that every history starts with.
  static func makeStorage() -> Storage

  /// Makes one small random edit. What it throws refuses the batch, which is no violation.
  static func edit(
    _ context: inout BatchContext<Storage>, using random: inout SeededGenerator) throws
}

extension LawSubject {
  /// Creates the storage that its own initializer makes.
  public static func makeStorage() -> Storage { Storage() }
}
