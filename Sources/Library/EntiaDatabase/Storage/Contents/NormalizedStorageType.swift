import EntiaCollections

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

/// The names of the encoded parts: tables, and IDs that the user holds.
struct EncodedParts<Contents: StorageContents>: HeldIDsVisitor {
  var names: [String] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    names.append(name)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    names.append(name)
  }
}

extension NormalizedStorageType where Self: Encodable {
  /// Encodes every table and the held IDs under their names. Relationships and indexes are
  /// derived from the rows, and are not encoded.
  /// - Throws: `EncodingError.invalidValue` for a table whose entities are not `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    var tables = PartEncoding(
      contents: snapshot.contents, container: encoder.container(keyedBy: PartKey.self))
    Contents.visitParts(&tables)
    if let error = tables.error { throw error }
  }
}

extension NormalizedStorageType where Self: Decodable {
  /// Decodes every table and the held IDs by name, and checks the rows as `init(validating:)`
  /// does.
  ///
  /// A missing table, or a name that the storage does not have, is an error: a database that was
  /// decoded without it would lose its rows when it is saved. `StorageDecodingOptions` allow
  /// either. Held IDs whose entities are missing are left out.
  ///
  /// A member that was added to an entity is missing in older files, and the `init(from:)` that
  /// Swift synthesizes requires it even if the member has a default. Write the initializer:
  ///
  /// ```swift
  /// struct Book: EntityType, Identifiable, Codable {
  ///   let id: String
  ///   var title: String
  ///   var rating = 0                                        // New.
  ///
  ///   init(from decoder: any Decoder) throws {
  ///     let container = try decoder.container(keyedBy: CodingKeys.self)
  ///     id = try container.decode(String.self, forKey: .id)
  ///     title = try container.decode(String.self, forKey: .title)
  ///     rating = try container.decodeIfPresent(Int.self, forKey: .rating) ?? 0
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter decoder: Its `userInfo[.storageDecoding]` may contain `StorageDecodingOptions`.
  /// - Throws: `DecodingError.dataCorrupted` that lists every missing table and every unknown
  ///   name, or every rule that the rows violate; `DecodingError.typeMismatch` for a table whose
  ///   entities are not `Decodable`; the errors that decoding a table throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: PartKey.self)
    try Self.requireParts(
      in: container, decoder.userInfo[.storageDecoding] as? StorageDecodingOptions ?? [])
    var tables = PartDecoding(contents: snapshot.contents, container: container)
    Contents.visitParts(&tables)
    if let error = tables.error { throw error }
    do {
      try self.init(validating: tables.contents)
    } catch let BatchError.refused(violations) {
      let reasons = violations.map(\.description).joined(separator: "; ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(Self.self) breaks its rules: \(reasons)",
          underlyingError: BatchError.refused(violations)))
    }
  }

  /// Compares the encoded names with those of the parts.
  private static func requireParts(
    in container: KeyedDecodingContainer<PartKey>, _ options: StorageDecodingOptions
  ) throws {
    var parts = EncodedParts<Contents>()
    Contents.visitParts(&parts)
    let found = Set(container.allKeys.map(\.stringValue))
    var reasons: [String] = []
    let missing = parts.names.filter { !found.contains($0) }
    if !options.contains(.missingTables), !missing.isEmpty {
      reasons.append("without \(missing.joined(separator: ", "))")
    }
    let unknown = found.subtracting(parts.names).sorted()
    if !options.contains(.unknownNames), !unknown.isEmpty {
      reasons.append("with unknown \(unknown.joined(separator: ", "))")
    }
    if reasons.isEmpty { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: container.codingPath,
        debugDescription: """
          \(Self.self) is encoded \(reasons.joined(separator: " and ")); its parts are \
          \(parts.names.joined(separator: ", ")). To decode it all the same, set \
          userInfo[.storageDecoding] of the decoder to StorageDecodingOptions
          """))
  }
}

extension NormalizedStorageType {
  /// The tables with the numbers of their rows and the first five of them, and the first held IDs.
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

  /// A mirror of the tables and of the IDs that the user holds.
  public var customMirror: Mirror {
    var parts = PartValues<Contents>(contents: snapshot.contents)
    Contents.visitParts(&parts)
    return Mirror(self, children: parts.values, displayStyle: .struct)
  }
}

/// A line for each table and for each part of held IDs, and for their first elements.
private struct PartLines<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var lines: [String] = []

  init(contents: Contents) { self.contents = contents }

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

  init(contents: Contents) { self.contents = contents }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    values.append((name, contents[keyPath: path]))
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    values.append((name, contents[keyPath: path]))
  }
}

extension NormalizedStorageType {
  /// Replaces each row that is equal in another version by the row of that version, which may have
  /// other transient members.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package mutating func takeTransientMembers(from other: Self) {
    let (mine, theirs) = (snapshot, other.snapshot)
    if mine.isIdentical(to: theirs) { return }
    var copy = TransientMembersCopy(contents: mine.contents, source: theirs.contents)
    Contents.visitParts(&copy)
    if copy.hasCopied { snapshot = Snapshot(unchecked: copy.contents, after: mine) }
  }
}

private struct TransientMembersCopy<Contents: StorageContents>: StorageVisitor {
  var contents: Contents
  let source: Contents
  var hasCopied = false

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard Table.Entity.hasTransientMembers else { return }
    let (mine, theirs) = (contents[keyPath: path], source[keyPath: path])
    if mine.isIdentical(to: theirs) { return }
    var equal: [Table.Entity] = []
    func visit(_ row: Table.Entity) {
      guard let own = mine.find(by: row.entityID), haveSameValue(own, row),
        !TransientComparison.areSameInMemory(own, row)
      else { return }
      equal.append(row)
    }
    typealias Row = Table.Entity
    if let mine = mine as? Tables.Hash<Row>, let theirs = theirs as? Tables.Hash<Row> {
      theirs.rows.visitUnshared(with: mine.rows, visit)
    } else if let mine = mine as? Tables.Ordered<Row>, let theirs = theirs as? Tables.Ordered<Row> {
      theirs.rows.visitUnshared(with: mine.rows, visit)
    }
    for row in equal { contents[keyPath: path].replace(row) }
    if !equal.isEmpty { hasCopied = true }
  }
}

extension NormalizedStorageType {
  /// Creates a database from tables, and checks them by the same rules as batches.
  ///
  /// ```swift
  /// var contents = Library.Contents()
  /// contents.authors = Tables.Hash(authors)
  /// contents.books = Tables.Hash(books)
  /// let library = try Library(validating: contents)
  /// ```
  ///
  /// Relationships and indexes are built from the rows; their previous contents are discarded.
  /// `finalizeTransaction` is not called, because it belongs to batches. A key may reference a
  /// missing entity, unless its relationship is `.required()`.
  ///
  /// Checks of entities are applied to every row. Checks of batches are applied to a batch that
  /// leaves the rows unchanged, so that they check the rows and no change.
  ///
  /// - Parameter contents: The tables.
  /// - Throws: `BatchError.refused` with every rule that the rows violate: unique keys, checks,
  ///   required references and counts.
  /// - Complexity: O(*n*) in the number of rows.
  public init(validating contents: Contents) throws {
    self.init()
    let version = Snapshot(rebuilding: contents)
    var rules = StorageRuleVerifier<Self>(version)
    Contents.visitParts(&rules)
    let violations = version.brokenRules() + rules.violations
    guard violations.isEmpty else { throw BatchError.refused(violations) }
    snapshot = version
  }
}

/// Checks a version against the rules of a database as a whole.
private struct StorageRuleVerifier<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let outcome: BatchOutcome<Storage>
  var violations: [BatchViolation] = []

  init(_ version: Snapshot<Contents>) {
    outcome = BatchOutcome(from: version, to: version)
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    guard let check = outcome.result.contents[keyPath: path] as? any StorageCheck else { return }
    if let violation = check.violation(name: name, of: outcome) { violations.append(violation) }
  }
}

extension Snapshot {
  /// Returns the rules that the rows violate, except for those that are checked for batches as a
  /// whole.
  /// - Complexity: O(*n*); O(parts) when all tables are empty.
  func brokenRules() -> [BatchViolation] {
    var search = FilledTableSearch(contents: contents)
    Contents.visitParts(&search)
    if !search.hasRows { return [] }
    var rules = RuleVerifier(snapshot: self, checksReferences: true)
    Contents.visitParts(&rules)
    return rules.violations
  }
}

private struct FilledTableSearch<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  var hasRows = false

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if contents[keyPath: path].count > 0 { hasRows = true }
  }
}
