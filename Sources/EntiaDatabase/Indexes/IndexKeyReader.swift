/// Computes the key of an entity, or `nil` for an entity that the index leaves out.
@frozen
@usableFromInline
struct IndexKeyReader<Entity: EntityType, Key: Sendable>: Sendable {
  @usableFromInline
  enum Source: Sendable {
    case field(FieldReader<Entity, Key>)
    case optionalField(FieldReader<Entity, Key?>)
    case closure(@Sendable (Entity) -> Key?)
  }

  @usableFromInline let source: Source
  @usableFromInline let condition: (@Sendable (Entity) -> Bool)?
  @usableFromInline let fields: [IndexField<Entity>]

  @usableFromInline
  init(_ path: any KeyPath<Entity, Key> & Sendable, _ condition: (@Sendable (Entity) -> Bool)?) {
    source = .field(FieldReader(path))
    self.condition = condition
    fields = [IndexField(path: path)]
  }

  @usableFromInline
  init(_ path: any KeyPath<Entity, Key?> & Sendable, _ condition: (@Sendable (Entity) -> Bool)?) {
    source = .optionalField(FieldReader(path))
    self.condition = condition
    fields = [IndexField(path: path)]
  }

  @usableFromInline
  init(
    fields: [IndexField<Entity>] = [IndexField(path: nil)],
    condition: (@Sendable (Entity) -> Bool)? = nil,
    closure key: @escaping @Sendable (Entity) -> Key?
  ) {
    source = .closure(key)
    self.condition = condition
    self.fields = fields
  }

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

  var coverage: IndexCoverage {
    if condition != nil { return .acceptedRows }
    switch source {
    case .field: return .allRows
    case .optionalField: return .rowsWithKey
    // A key of fields only has a value for every row.
    case .closure: return fields.allSatisfy { $0.path != nil } ? .allRows : .acceptedRows
    }
  }
}
