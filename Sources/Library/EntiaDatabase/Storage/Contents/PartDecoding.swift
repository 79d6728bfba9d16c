/// Decodes the tables and stored indexes that the container has, by their names.
struct PartDecoding<Contents: StorageContents>: StorageVisitor {
  var contents: Contents
  let container: KeyedDecodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    decode(name, path, of: Table.Entity.entityName)
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard EncodedParts<Contents>.isStored(Index.self) else { return }
    decode(name, path, of: "the ID of \(Index.Entity.entityName)")
  }

  private mutating func decode<Part>(
    _ name: String, _ path: PartPath<Contents, Part>, of content: String
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

/// Encodes tables and stored indexes under their names.
struct PartEncoding<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  var container: KeyedEncodingContainer<PartKey>
  var error: (any Error)?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    encode(contents[keyPath: path], name, of: Table.Entity.entityName)
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard EncodedParts<Contents>.isStored(Index.self) else { return }
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

// The unsafe steps by which a batch accesses the parts of its contents in place. They are sound
// because
// - the contents are in memory that the transaction allocates once and frees at its end, and every
//   pointer is used only while the transaction is retained;
// - a part is a stored property, as `visitParts` requires, so that the standard library returns
//   its address; any other path stops the process with a message, in the first batch;
// - a batch is used by one thread at a time (`BatchContext` is neither `Sendable` nor copyable).

extension UnsafeMutablePointer where Pointee: StorageContents {
  /// Returns the address of a part.
  @inlinable
  @inline(__always)
  func part<Part>(at path: WritableKeyPath<Pointee, Part>) -> UnsafeMutablePointer<Part> {
    guard let part = pointer(to: path) else {
      preconditionFailure("a part of \(Pointee.self) is not a stored property: \(path)")
    }
    return part
  }

  /// Returns the address of the table of an entity type, or `nil` when the database has none.
  @inlinable
  @inline(__always)
  func table<Entity: EntityType>(
    of entity: Entity.Type
  ) -> TablePointer<Entity>? {
    var search = TablePointerSearch<Pointee, Entity>(contents: self)
    Pointee.visitParts(&search)
    return search.result
  }
}

@frozen
@usableFromInline
struct TablePointerSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline var result: TablePointer<Wanted>?

  @inlinable
  init(contents: UnsafeMutablePointer<Contents>) { self.contents = contents }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard Table.Entity.self == Wanted.self else { return }
    result = TablePointer(
      UnsafeMutableRawPointer(contents.part(at: path)), isOrdered: Table.isOrdered)
  }
}

/// Returns the value unchanged as `Same`, which must be the same type as `Value`.
@inlinable
@inline(__always)
package func recast<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self)
  return unsafeBitCast(value, to: Same.self)
}
