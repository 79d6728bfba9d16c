import EntiaCollections
import EntiaDatabase

/// Detects the changes of a database in a store's state, independent of its type.
final class DatabaseChangeDetector: Sendable {
  /// The difference of the database between two versions of the state.
  struct Changes: Sendable {
    /// The keys of the changed rows, under which observers may be registered.
    let keys: [RowKey]
    /// The change set, type-erased. Observers cast it to the type of their database.
    let changeSet: any Sendable
  }

  /// A field by whose values observers are looked up. It exists as long as one of them retains it.
  final class ObservedField: Sendable {
    fileprivate let number: Int
    fileprivate let entity: ObjectIdentifier
    fileprivate let isPath: @Sendable (AnyKeyPath) -> Bool
    /// The hashes of the field's values in the changed rows.
    fileprivate let hashes: Hashes

    fileprivate typealias Hashes =
      @Sendable (_ changeSet: any Sendable, _ new: AnyStateVersion) -> Set<Int>

    fileprivate init(
      _ number: Int, _ entity: ObjectIdentifier, isPath: @escaping @Sendable (AnyKeyPath) -> Bool,
      hashes: @escaping Hashes
    ) {
      self.number = number
      self.entity = entity
      self.isPath = isPath
      self.hashes = hashes
    }
  }

  /// The key path of the database in the state.
  let path: any AnyKeyPath & Sendable
  let fields = WeakList<ObservedField>()
  private let compare: @Sendable (_ old: AnyStateVersion, _ new: AnyStateVersion) -> Compared

  private struct Compared {
    let changeSet: any Sendable
    let rows: [ChangedRows]
    let isEmpty: Bool
  }

  init<State: Sendable, Storage: NormalizedStorageType>(
    _ path: any KeyPath<State, Storage> & Sendable
  ) {
    self.path = path
    compare = { old, new in
      let before = old.of(State.self).value[keyPath: path]
      let changes = new.of(State.self).value[keyPath: path].changes(since: before)
      return Compared(changeSet: changes, rows: changes.changedRows, isEmpty: changes.isEmpty)
    }
  }

  func changes(from old: AnyStateVersion, to new: AnyStateVersion) -> Changes {
    let compared = compare(old, new)
    let detector = ObjectIdentifier(self)
    let fields = fields.all
    var keys: [RowKey] = []
    keys.reserveCapacity(1 + compared.rows.reduce(0) { $0 + 1 + $1.idHashes.count + fields.count })
    if !compared.isEmpty { keys.append(.database(detector: detector)) }
    for rows in compared.rows {
      keys.append(.table(detector: detector, entity: rows.entity))
      for hash in rows.idHashes {
        keys.append(.row(detector: detector, entity: rows.entity, idHash: hash))
      }
      for field in fields where field.entity == rows.entity {
        for hash in field.hashes(compared.changeSet, new) {
          keys.append(
            .field(detector: detector, entity: rows.entity, field: field.number, valueHash: hash))
        }
      }
    }
    return Changes(keys: keys, changeSet: compared.changeSet)
  }

  /// Returns the region of rows with some values in a field.
  func observedRows<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>(
    of filter: EqualityFilter<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let entity = ObjectIdentifier(Entity.self)
    let hashes: ObservedField.Hashes = { changeSet, new in
      guard let changes = changeSet as? StorageChangeSet<Storage> else { return [] }
      return filter.hashes(of: changes, in: new.of(State.self).value[keyPath: path])
    }
    let field = field(entity, filter.path, isPath: { $0 == filter.path }, hashes: hashes)
    let keys = filter.hashes.map {
      RowKey.field(
        detector: ObjectIdentifier(self), entity: entity, field: field.number, valueHash: $0)
    }
    return RowObserverIndex.ObservedRows(detectors: [self], keys: keys, fields: [field])
  }

  /// Returns the key for observers of a row, present or missing.
  func key<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> RowKey {
    .row(
      detector: ObjectIdentifier(self), entity: ObjectIdentifier(Entity.self), idHash: id.tableHash)
  }

  /// Returns the region of rows that refer to an entity.
  func observedRows<
    State: Sendable, Storage: NormalizedStorageType, Relationship: RelationshipType
  >(
    ofHoldersOf target: Relationship.Target.EntityID,
    _ relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let entity = ObjectIdentifier(Relationship.Holder.self)
    let hashes: ObservedField.Hashes = { changeSet, new in
      guard let changes = changeSet as? StorageChangeSet<Storage> else { return [] }
      let storage = new.of(State.self).value[keyPath: path]
      let links = storage.snapshot.contents[keyPath: relationship]
      let rows = changes.changes(of: Relationship.Holder.self)
      let holders = rows.inserted + rows.removed + rows.updated.flatMap { [$0.old, $0.new] }
      return Set(holders.flatMap { links.targetIDs(of: $0).map(\.hashValue) })
    }
    let field = field(entity, relationship, isPath: { $0 == relationship }, hashes: hashes)
    let key = RowKey.field(
      detector: ObjectIdentifier(self), entity: entity, field: field.number,
      valueHash: target.hashValue)
    return RowObserverIndex.ObservedRows(detectors: [self], keys: [key], fields: [field])
  }

  /// Returns the observed field at a key path: the existing one, if it is still retained.
  private func field(
    _ entity: ObjectIdentifier, _ path: AnyKeyPath,
    isPath: @escaping @Sendable (AnyKeyPath) -> Bool, hashes: @escaping ObservedField.Hashes
  ) -> ObservedField {
    fields.element(
      where: { $0.entity == entity && $0.isPath(path) },
      make: { number in ObservedField(number, entity, isPath: isPath, hashes: hashes) })
  }
}
