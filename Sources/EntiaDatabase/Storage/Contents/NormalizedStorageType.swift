/// A database as a plain value: tables, the relationships between their rows, and nothing else.
///
/// `@NormalizedStorage` writes the conformance. By hand it is this:
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
/// Copies are O(1). Rows are changed in batches only, which keep relationships in step and commit
/// all or nothing. Tables that were filled by hand become a database by `init(validating:)`, which
/// judges their rows as a batch does.
public protocol NormalizedStorageType: Equatable, Sendable {
  /// The tables and relationships as stored properties.
  associatedtype Contents: StorageContents

  /// What a batch can be refused with beyond what its closure throws: `Never` when nothing can
  /// refuse, and then `performBatchUpdates` only rethrows.
  associatedtype Refusal: Error = Never

  /// Creates the database that an app starts with, usually an empty one.
  init()

  /// The version of the contents that this value stands for. Setting it makes the value another
  /// version as a whole. A version of rows that break a rule, which only `Snapshot(_:)` makes, is
  /// judged by the next batch.
  var snapshot: Snapshot<Contents> { get set }

  /// Looks at what a batch did before it is committed, and may change more or refuse it.
  ///
  /// `context.changes` is what the batch did so far. What this throws is thrown by the batch, which
  /// then leaves no trace.
  func finalizeTransaction(_ context: inout BatchContext<Self>) throws(Refusal)

  /// Returns how this version differs from an older one; leave it as it is.
  func changes(since old: Self) -> StorageChangeSet<Self>
}

extension NormalizedStorageType {
  /// Accepts every batch.
  @inlinable
  public func finalizeTransaction(_ context: inout BatchContext<Self>) throws(Refusal) {}
}

extension NormalizedStorageType {
  /// How a version of this database differs from an older one.
  public typealias ChangeSet = StorageChangeSet<Self>
}

extension NormalizedStorageType {
  /// Whether two databases hold equal rows, whatever their order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    let (x, y) = (a.snapshot, b.snapshot)
    return x.isIdentical(to: y) || x.hasEqualRows(y)
  }
}
