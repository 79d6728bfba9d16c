import EntiaCollections

/// A database as a plain value: tables, with the relationships and indexes of their rows.
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

  /// The type of the errors with which a rule or `finalizeTransaction` refuses a batch. With
  /// `Never`, only the closure of a batch can refuse it, and `performBatchUpdates` rethrows.
  associatedtype Refusal: Error = Never

  /// Creates the initial database of an app, usually an empty one.
  init()

  /// The current version of the contents. Setting the property replaces the whole version. A
  /// version that `Snapshot(_:)` created may contain rows that violate a rule. The next batch
  /// checks these rows.
  var snapshot: Snapshot<Contents> { get set }

  /// Called with each batch before it is committed. The method may make further changes, or refuse
  /// the batch by throwing an error: the batch then throws this error and has no effect.
  ///
  /// `context.changes` are the changes of the batch so far.
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

extension NormalizedStorageType {
  /// The tables with their numbers of rows and their first five rows, and the first held IDs.
  ///
  /// ```
  /// Library
  ///   authors: 1 row
  ///     Author(id: "a1", name: "Ann")
  ///   books: 1000 rows
  ///     …
  ///     … and 995 more
  ///   favorites: 2 IDs
  ///     b1
  ///     b7
  /// ```
  public var description: String {
    var parts = PartLines<Contents>(contents: snapshot.contents)
    Contents.visitParts(&parts)
    return (["\(Self.self)"] + parts.lines.map { "  \($0)" }).joined(separator: "\n")
  }

  /// A mirror of the tables and of the held IDs.
  public var customMirror: Mirror {
    var parts = PartValues<Contents>(contents: snapshot.contents)
    Contents.visitParts(&parts)
    return Mirror(self, children: parts.values, displayStyle: .struct)
  }
}

/// The lines of a description. Each table and each collection of held IDs has a line with its
/// count, and a line for each of its first elements.
private struct PartLines<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var lines: [String] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = contents[keyPath: path]
    add("\(name): \(table.count) \(table.count == 1 ? "row" : "rows")", table, count: table.count)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let ids = Array(contents[keyPath: path])
    add("\(name): \(ids.count) \(ids.count == 1 ? "ID" : "IDs")", ids, count: ids.count)
  }

  private mutating func add(_ title: String, _ elements: some Sequence, count: Int) {
    lines.append(title)
    lines += elements.prefix(5).map { "  \($0)" }
    if count > 5 { lines.append("  … and \(count - 5) more") }
  }
}

/// The parts with their names.
private struct PartValues<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var values: [Mirror.Child] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    values.append((name, contents[keyPath: path]))
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    values.append((name, contents[keyPath: path]))
  }
}

extension NormalizedStorageType {
  /// This version of the database, for code that does not depend on the type of the database.
  package var version: StorageVersion { snapshot.box }
}
