import EntiaCollections

/// A coding key of any name.
struct PartKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { return nil }
}

extension NormalizedStorageType where Self: Encodable {
  /// Encodes every table, and IDs that the user holds, under their names; the rest follows from rows.
  /// - Throws: `EncodingError.invalidValue` for a table whose entities are not `Encodable`.
  public func encode(to encoder: any Encoder) throws {
    var tables = TableEncoding(
      contents: snapshot.contents, container: encoder.container(keyedBy: PartKey.self))
    Contents.visitParts(&tables)
    if let error = tables.error { throw error }
  }
}

extension NormalizedStorageType where Self: Decodable {
  /// Decodes tables by name; one that is not there stays as `init()` has it.
  /// - Throws: what decoding a table throws, and `DecodingError.typeMismatch` for a table whose
  ///   entities are not `Decodable`.
  public init(from decoder: any Decoder) throws {
    self.init()
    var tables = TableDecoding(
      contents: snapshot.contents, container: try decoder.container(keyedBy: PartKey.self))
    Contents.visitParts(&tables)
    if let error = tables.error { throw error }
    snapshot = Snapshot(tables.contents)
  }
}

private struct TableEncoding<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  var container: KeyedEncodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard error == nil else { return }
    let table = contents[keyPath: path]
    do {
      guard let encodable = table as? any Encodable else {
        throw EncodingError.invalidValue(
          table,
          EncodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(Table.Entity.entityName) is not Encodable"))
      }
      try container.encode(encodable, forKey: PartKey(name))
    } catch {
      self.error = error
    }
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard error == nil, Index.self is any HeldIDs.Type else { return }
    let ids = contents[keyPath: path]
    do {
      guard let encodable = ids as? any Encodable else {
        throw EncodingError.invalidValue(
          ids,
          EncodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "the ID of \(Index.Entity.entityName) is not Encodable"))
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
  ) {
    guard error == nil, container.contains(PartKey(name)) else { return }
    do {
      guard let type = Table.self as? any Decodable.Type else {
        throw DecodingError.typeMismatch(
          Table.self,
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "\(Table.Entity.entityName) is not Decodable"))
      }
      let decoded: Any = try container.decode(type, forKey: PartKey(name))
      if let table = decoded as? Table { contents[keyPath: path] = table }
    } catch {
      self.error = error
    }
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    guard error == nil, Index.self is any HeldIDs.Type, container.contains(PartKey(name)) else {
      return
    }
    do {
      guard let type = Index.self as? any Decodable.Type else {
        throw DecodingError.typeMismatch(
          Index.self,
          DecodingError.Context(
            codingPath: container.codingPath + [PartKey(name)],
            debugDescription: "the ID of \(Index.Entity.entityName) is not Decodable"))
      }
      let decoded: Any = try container.decode(type, forKey: PartKey(name))
      if let ids = decoded as? Index { contents[keyPath: path] = ids }
    } catch {
      self.error = error
    }
  }
}
