public import EntiaCollections
public import Foundation

/// An index of a database: data derived from the rows of one entity type, and updated row by row.
///
/// The kinds in `Indexes` conform to it. Other types cannot conform to it.
public protocol IndexType<Entity>: Sendable {
  /// The type of the indexed entities.
  associatedtype Entity: EntityType

  /// The fields of the key, and the rows that the index contains.
  var traits: IndexTraits<Entity> { get }

  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// The old and the new value of a changed row have the same ID.
  mutating func rowChanged(from old: Entity?, to new: Entity?)

  /// Records that existing rows were received at a time. The default implementation does nothing,
  /// because only `Indexes.Age` records times.
  mutating func rowsReceived(_ ids: some Sequence<Entity.EntityID>, at time: Date)

  /// Calls the closure with the IDs of the rows in the order of the fields until it returns
  /// `false`. Equal keys are in the order of their IDs, in both directions.
  /// - Parameters:
  ///   - isReversed: Whether greater keys are first.
  ///   - body: The closure, which returns `false` to stop.
  /// - Returns: Whether the index has such an order; otherwise the closure is not called.
  func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool
}

extension IndexType {
  /// Does nothing: the index records no times.
  @inlinable
  public mutating func rowsReceived(_ ids: some Sequence<Entity.EntityID>, at time: Date) {}

  /// Returns `false`: the index has no order.
  @inlinable
  public func visitInOrder(isReversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Bool { false }

  /// The fields of the key, the most significant first.
  package var fields: [IndexField<Entity>] { traits.fields }

  /// The rows that the index contains.
  package var coverage: IndexCoverage { traits.coverage }
}

/// An index that can be built from rows and compared with another one. Every index conforms to it.
package protocol RebuildableIndex<Entity>: IndexType {
  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void)

  /// Returns the differences between this index and the same index built from every row.
  func mismatches(from rebuilt: Self) -> [IndexMismatch]
}

/// The fields of an index's key, and the rows that the index contains. Only Entia creates and reads
/// them.
public struct IndexTraits<Entity: EntityType>: Sendable {
  /// The fields of the key, the most significant first.
  let fields: [IndexField<Entity>]
  /// The rows that the index contains.
  let coverage: IndexCoverage

  /// The traits of an index that does not depend on fields and contains only some of the rows.
  static var withoutFields: Self { Self(fields: [], coverage: .acceptedRows) }
}

/// The rows that an index contains.
package enum IndexCoverage: Hashable, Sendable {
  /// Every row.
  case allRows
  /// The rows whose key is not `nil`.
  case rowsWithKey
  /// The rows that a closure accepts.
  case acceptedRows
}

/// A field of an index's key.
@usableFromInline
package struct IndexField<Entity: EntityType>: Sendable {
  /// The key path of the field, or `nil` when a closure computes the key.
  package let path: (any PartialKeyPath<Entity> & Sendable)?
  /// Whether greater values are first.
  package let isDescending: Bool

  /// Creates the description of a field.
  @usableFromInline
  package init(path: (any PartialKeyPath<Entity> & Sendable)?, isDescending: Bool = false) {
    self.path = path
    self.isDescending = isDescending
  }
}

/// An index by a key of its rows, such as a field.
///
/// An entity whose key is `nil` is left out.
public protocol KeyedIndexType<Entity, Key>: IndexType {
  /// The type of the keys.
  associatedtype Key: Sendable

  /// Reads the key of an entity.
  var keyReader: IndexKeyReader<Entity, Key> { get }

  /// Creates an index without rows.
  init(keyReader: IndexKeyReader<Entity, Key>)
}

extension KeyedIndexType {
  /// Creates an index by a field.
  /// - Parameters:
  ///   - key: The field.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    _ key: any KeyPath<Entity, Key> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(keyReader: IndexKeyReader(key, where: condition)) }

  /// Creates an index by an optional field; entities whose field is `nil` are left out.
  /// - Parameters:
  ///   - key: The field.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    _ key: any KeyPath<Entity, Key?> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(keyReader: IndexKeyReader(key, where: condition)) }

  /// Creates an index by a key that a closure computes. Entities for which the closure returns
  /// `nil` are left out. The closure must return equal keys for equal entities.
  @_disfavoredOverload
  public init(_ key: @escaping @Sendable (Entity) -> Key?) {
    self.init(keyReader: IndexKeyReader(closure: key))
  }

  /// The fields of the key, and the rows that the index contains.
  public var traits: IndexTraits<Entity> {
    IndexTraits(fields: keyReader.fields, coverage: keyReader.coverage)
  }
}

/// Returns the name of a field, from the description of its key path.
func fieldName(_ path: AnyKeyPath) -> String {
  let text = String(describing: path)
  guard let dot = text.firstIndex(of: ".") else { return text }
  return String(text[text.index(after: dot)...])
}

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
    // A closure whose fields are all known reads its key from these fields, and never returns
    // `nil`.
    case .closure: return fields.allSatisfy { $0.path != nil } ? .allRows : .acceptedRows
    }
  }
}

/// A difference between an index and the rows.
package struct IndexMismatch: Hashable, Sendable {
  /// The entity whose entry is wrong or missing, or that has an entry but no row.
  package let entity: EntityLabel
  /// The text of the key, or an empty text for a held ID without an entity.
  package let key: String

  /// Creates the description of a difference.
  package init(entity: EntityLabel, key: String) {
    self.entity = entity
    self.key = key
  }
}

/// Any `Hashable` key as the key of a table. A NaN equals a NaN with the same bits.
@frozen
@usableFromInline
package struct HashedKey<Key: Hashable & Sendable>: TableKey {
  @usableFromInline package let key: Key

  @inlinable
  @inline(__always)
  package init(_ key: Key) { self.key = key }

  @inlinable
  @inline(__always)
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.key == rhs.key || (!isEqualToItself(Key.self) && haveSameKeyParts(lhs.key, rhs.key))
  }

  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  @inlinable
  package func tableHash(seed: UInt64) -> UInt64 {
    // In specialized code, the type casts are evaluated at compile time.
    if let key = key as? String { return HashMixing.hash(key, seed: seed) }
    if let key = key as? Int { return HashMixing.hash(UInt64(bitPattern: Int64(key)), seed: seed) }
    if let key = key as? any TableKey { return key.tableHash(seed: seed) }
    return PlainIDStorage(key).tableHash(seed: seed)
  }
}

extension IndexMismatch {
  /// Returns the differences between the entries of two versions of an index. The order of the
  /// entries does not matter.
  static func between<Entity: EntityType, Key: Hashable & Sendable>(
    _ found: some Sequence<(HashedKey<Key>, [EntityIdentifier<Entity>])>,
    _ expected: some Sequence<(HashedKey<Key>, [EntityIdentifier<Entity>])>
  ) -> [Self] {
    var wanted: [HashedKey<Key>: Set<EntityIdentifier<Entity>>] = [:]
    for (key, ids) in expected { wanted[key] = Set(ids) }
    var result: [Self] = []
    for (key, ids) in found {
      for id in ids where wanted[key]?.remove(id) == nil {
        result.append(Self(entity: EntityLabel(id), key: String(describing: key.key)))
      }
    }
    for (key, ids) in expected {
      for id in ids where wanted[key]?.contains(id) == true {
        result.append(Self(entity: EntityLabel(id), key: String(describing: key.key)))
      }
    }
    return result
  }
}
