/// A database as a plain value: tables, the relationships between their rows, and nothing else.
///
/// `@NormalizedStorage` generates the conformance. A hand-written one has this form:
///
/// ```swift
/// struct Library: NormalizedStorageType {
///   struct Contents: StorageContents { … }         // see StorageContents
///   var snapshot = Snapshot(Contents())            // the only stored property
///   var authors: Tables.Hash<Author> { snapshot.contents.authors }
///   var books: Tables.Hash<Book> { snapshot.contents.books }
///   typealias Refusal = any Error                  // when a rule can refuse a batch
/// }
/// ```
///
/// Copies are O(1). Rows are changed only in batches, which update the relationships and are
/// atomic. `init(validating:)` creates a database from tables, and checks their rows as a batch
/// does.
public protocol NormalizedStorageType: Equatable, Sendable, CustomStringConvertible,
  CustomReflectable
{
  /// The tables and relationships as stored properties.
  associatedtype Contents: StorageContents

  /// The error with which a batch can be refused in addition to the errors of its closure. With
  /// `Never`, nothing else can refuse a batch, and `performBatchUpdates` rethrows.
  associatedtype Refusal: Error = Never

  /// Creates the initial database of an app, usually an empty one.
  init()

  /// The version of the contents. Setting it replaces the whole version. Rows that violate a
  /// rule, which only `Snapshot(_:)` accepts, are checked by the next batch.
  var snapshot: Snapshot<Contents> { get set }

  /// Called with a batch before it is committed, to change more or to refuse it.
  ///
  /// `context.changes` are the changes of the batch so far. If this method throws, the batch
  /// throws the error and has no effect.
  func finalizeTransaction(_ context: inout BatchContext<Self>) throws(Refusal)

  /// Returns the difference between this version and an older one. Use the default
  /// implementation.
  func changes(since old: Self) -> StorageChangeSet<Self>
}

extension NormalizedStorageType {
  /// Accepts every batch.
  @inlinable
  public func finalizeTransaction(_ context: inout BatchContext<Self>) throws(Refusal) {}
}

extension NormalizedStorageType {
  /// The difference between a version of this database and an older one.
  public typealias ChangeSet = StorageChangeSet<Self>
}

extension NormalizedStorageType {
  /// Whether two databases contain equal rows and the same held IDs. The order of the rows counts
  /// only in ordered tables.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   databases.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    let (x, y) = (a.snapshot, b.snapshot)
    return x.isIdentical(to: y) || x.hasEqualRows(y)
  }
}
