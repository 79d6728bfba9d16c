/// The names of the encoded parts: tables, held IDs, and the times and answers of received rows.
struct EncodedParts<Contents: StorageContents>: StorageVisitor {
  var names: [String] = []
  /// The names of the parts that need not be encoded.
  var optionalNames: Set<String> = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    names.append(name)
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Self.isStored(Index.self) else { return }
    names.append(name)
    if Index.self is any FreshnessIndex.Type { optionalNames.insert(name) }
  }

  /// Whether an index is stored instead of derived from the rows.
  static func isStored<Index: IndexType>(_ type: Index.Type) -> Bool {
    type is any HeldIDs.Type || type is any FreshnessIndex.Type
  }
}

extension NormalizedStorageType where Self: Encodable {
  /// Encodes every table, the held IDs, and the ages and answers of received rows under their
  /// names. Relationships and other indexes are derived from the rows, and are not encoded.
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
  /// A missing table is an error, and so is a name that the storage does not have, because rows
  /// would be lost when the database is saved. `StorageDecodingOptions` allow either. Held IDs
  /// whose entities are missing are left out. Ages and answers need not be encoded.
  ///
  /// A member that was added to an entity is missing in older files. The code that `@Entity`
  /// generates then gives the member its default. The synthesized `init(from:)` requires the member
  /// even if it has a default, so write the initializer:
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
  /// - Throws: `DecodingError.dataCorrupted` with all missing tables and unknown names, or with all
  ///   violated rules; `DecodingError.typeMismatch` for a table whose entities are not `Decodable`;
  ///   the errors that decoding a table throws.
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
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "\(Self.self) breaks its rules: \(violations.firstDescriptions)",
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
    let missing = parts.names.filter { !found.contains($0) && !parts.optionalNames.contains($0) }
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
  /// changes nothing, so that they check only the rows.
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
  /// Returns the rules that the rows violate, without the checks of batches as a whole.
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
