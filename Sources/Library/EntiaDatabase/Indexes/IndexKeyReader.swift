/// Reads the key of an entity: a field, an optional field or the result of a closure. Only Entia
/// creates and reads it.
@frozen
public struct IndexKeyReader<Entity: EntityType, Key: Sendable>: Sendable {
  @usableFromInline
  enum Source: Sendable {
    case field(FieldReader<Entity, Key>)
    case optionalField(FieldReader<Entity, Key?>)
    case closure(@Sendable (Entity) -> Key?)
  }

  @usableFromInline let source: Source
  @usableFromInline let condition: (@Sendable (Entity) -> Bool)?
  /// The fields of the key, the most significant first.
  let fields: [IndexField<Entity>]

  init(
    _ path: any KeyPath<Entity, Key> & Sendable, where condition: (@Sendable (Entity) -> Bool)?
  ) {
    source = .field(FieldReader(path))
    self.condition = condition
    fields = [IndexField(path: path)]
  }

  init(
    _ path: any KeyPath<Entity, Key?> & Sendable, where condition: (@Sendable (Entity) -> Bool)?
  ) {
    source = .optionalField(FieldReader(path))
    self.condition = condition
    fields = [IndexField(path: path)]
  }

  /// Creates a reader of a key that a closure computes.
  /// - Parameters:
  ///   - fields: The fields from which the closure computes the key, if they are known.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  ///   - key: Returns the key of an entity; `nil` leaves the entity out.
  init(
    fields: [IndexField<Entity>] = [IndexField(path: nil)],
    condition: (@Sendable (Entity) -> Bool)? = nil,
    closure key: @escaping @Sendable (Entity) -> Key?
  ) {
    source = .closure(key)
    self.condition = condition
    self.fields = fields
  }

  /// Returns the key of an entity; `nil` for an entity that the index leaves out.
  @inlinable
  @inline(__always)
  func key(of entity: Entity) -> Key? {
    if let condition, !condition(entity) { return nil }
    switch source {
    case .field(let reader): return reader.read(entity)
    case .optionalField(let reader): return reader.read(entity)
    case .closure(let read): return read(entity)
    }
  }

  /// The rows that have a key.
  var coverage: IndexCoverage {
    if condition != nil { return .acceptedRows }
    switch source {
    case .field: return .allRows
    case .optionalField: return .rowsWithKey
    // A key that a closure computes from fields alone has a value for every row.
    case .closure: return fields.allSatisfy { $0.path != nil } ? .allRows : .acceptedRows
    }
  }
}
