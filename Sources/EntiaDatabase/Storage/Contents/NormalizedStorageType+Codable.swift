import EntiaCollections

extension NormalizedStorageType where Self: Encodable {
  /// Encodes every table and the held IDs under their names. Relationships and indexes are
  /// derived from the rows, and are not encoded.
  /// - Throws: `EncodingError.invalidValue` for a table whose entities are not `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    var tables = TableEncoding(
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
    var tables = TableDecoding(contents: snapshot.contents, container: container)
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

/// The names of the encoded parts: tables, and IDs that the user holds.
private struct EncodedParts<Contents: StorageContents>: StorageVisitor {
  var names: [String] = []

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) { names.append(name) }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) { if Index.self is any HeldIDs.Type { names.append(name) } }
}

private struct TableEncoding<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  var container: KeyedEncodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) { encode(contents[keyPath: path], name, of: Table.Entity.entityName) }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard Index.self is any HeldIDs.Type else { return }
    encode(contents[keyPath: path], name, of: "the ID of \(Index.Entity.entityName)")
  }

  private mutating func encode<Part>(_ part: Part, _ name: String, of content: String) {
    guard error == nil else { return }
    do {
      guard let encodable = part as? any Encodable else {
        throw EncodingError.invalidValue(
          part,
          EncodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(content) is not Encodable"))
      }
      try container.encode(encodable, forKey: PartKey(name))
    } catch {
      self.error = error
    }
  }
}

private struct TableDecoding<Contents: StorageContents>: StorageVisitor {
  var contents: Contents
  let container: KeyedDecodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) { decode(name, path, of: Table.Entity.entityName) }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard Index.self is any HeldIDs.Type else { return }
    decode(name, path, of: "the ID of \(Index.Entity.entityName)")
  }

  private mutating func decode<Part>(
    _ name: String, _ path: any WritableKeyPath<Contents, Part> & Sendable, of content: String
  ) {
    guard error == nil, container.contains(PartKey(name)) else { return }
    do {
      guard let type = Part.self as? any Decodable.Type else {
        throw DecodingError.typeMismatch(
          Part.self,
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(content) is not Decodable"))
      }
      let decoded: Any = try container.decode(type, forKey: PartKey(name))
      if let part = decoded as? Part { contents[keyPath: path] = part }
    } catch {
      self.error = error
    }
  }
}
