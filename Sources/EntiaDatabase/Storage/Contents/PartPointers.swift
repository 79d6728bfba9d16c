// The unsafe steps by which a batch reaches the parts of its contents in place. Sound because
// - the contents lie in memory that the workspace allocates once and frees when it goes, and every
//   pointer handed out is used while the workspace is alive;
// - a part is a stored property (`visitParts` asks for it), so the standard library gives the
//   place of its memory; anything else stops with a message, in the first batch ever run;
// - a batch is used by one thread at a time (`BatchContext` is not `Sendable` nor copyable).

extension UnsafeMutablePointer where Pointee: StorageContents {
  /// The place of a part.
  @inlinable
  @inline(__always)
  func part<Part>(at path: WritableKeyPath<Pointee, Part>) -> UnsafeMutablePointer<Part> {
    guard let part = pointer(to: path) else {
      preconditionFailure("a part of \(Pointee.self) is not a stored property: \(path)")
    }
    return part
  }

  /// The place of the table of an entity type, or `nil` when the database has none.
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
  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard Table.Entity.self == Wanted.self else { return }
    result = TablePointer(
      UnsafeMutableRawPointer(contents.part(at: path)), isOrdered: Table.isOrdered)
  }
}

/// Returns the value as the type that it is known to have: the two types must be one and the same.
@inlinable
@inline(__always)
func recast<Value, Same>(_ value: Value, as type: Same.Type) -> Same {
  precondition(Value.self == Same.self)
  return unsafeBitCast(value, to: Same.self)
}
