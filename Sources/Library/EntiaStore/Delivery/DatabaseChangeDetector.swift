import EntiaCollections
import EntiaDatabase

/// Detects the changes of a database in a store's state. The class is not generic in the types of
/// the state and the database.
final class DatabaseChangeDetector: Sendable {
  /// The keys of the rows that differ between two versions of the state. Observers may be
  /// registered under these keys.
  struct ChangedKeys: Sendable {
    let detector: DatabaseChangeDetector
    fileprivate let rows: DifferingKeys
    fileprivate let fields: [RowKey]

    var all: [RowKey] {
      var result: [RowKey] = []
      _ = contains {
        result.append($0)
        return false
      }
      return result
    }

    func contains(where condition: (RowKey) -> Bool) -> Bool {
      let detector = ObjectIdentifier(detector)
      if rows.hasOtherFreshness, condition(.freshness(detector: detector)) { return true }
      if !rows.isEmpty, condition(.database(detector: detector)) { return true }
      for key in rows.keys {
        switch key {
        case .table(let entity), .order(let entity):
          if condition(.table(detector: detector, entity: entity)) { return true }
        case .row(let entity, let hash):
          if condition(.row(detector: detector, entity: entity, idHash: hash)) { return true }
        }
      }
      return fields.contains(where: condition)
    }
  }

  /// A field of an entity type. Observers are looked up by the values of the field in changed rows.
  /// Only observers retain this object, so it is released with the last observer of the field.
  final class ObservedField: Sendable {
    fileprivate typealias Hashes =
      @Sendable (_ detector: DatabaseChangeDetector, _ comparison: inout RowVersionComparison) ->
      Set<Int>

    fileprivate let entity: ObjectIdentifier
    /// Whether values of the field may change although no row of the entity type differs.
    fileprivate let hasOwnChanges: Bool
    /// Returns the hashes of the field's values in the changed rows.
    fileprivate let hashes: Hashes

    fileprivate init(
      _ entity: ObjectIdentifier, hasOwnChanges: Bool, hashes: @escaping Hashes
    ) {
      self.hasOwnChanges = hasOwnChanges
      self.entity = entity
      self.hashes = hashes
    }

    fileprivate func key(_ valueHash: Int, in detector: DatabaseChangeDetector) -> RowKey {
      .field(
        detector: ObjectIdentifier(detector), entity: entity, field: ObjectIdentifier(self),
        valueHash: valueHash)
    }
  }

  /// The observed fields.
  let fields = SharedObjects()
  private let version: @Sendable (AnyStateVersion) -> StorageVersion
  private let difference: @Sendable (_ old: AnyStateVersion, _ new: AnyStateVersion) -> any Sendable

  init<State: Sendable, Storage: NormalizedStorageType>(
    _ path: any KeyPath<State, Storage> & Sendable
  ) {
    let offset = MemoryLayout<State>.offset(of: path)
    version = { state in
      guard let offset else { return state.of(State.self).value[keyPath: path].version }
      // A stored property is read in place, because reading a key path takes as long as a
      // comparison.
      return withUnsafeBytes(of: state.of(State.self).value) { bytes in
        // The offset belongs to a stored property of this type, so the bytes are a value of the
        // type.
        (bytes.baseAddress.unsafelyUnwrapped + offset)
          .assumingMemoryBound(to: Storage.self).pointee.version
      }
    }
    difference = { old, new in
      let before = old.of(State.self).value[keyPath: path]
      return new.of(State.self).value[keyPath: path].changes(since: before)
    }
  }

  func version(in state: AnyStateVersion) -> StorageVersion { version(state) }

  /// Returns the change set of the database between two versions of the state, type-erased.
  /// Observers cast it to the type of their database.
  func changeSet(from old: AnyStateVersion, to new: AnyStateVersion) -> any Sendable {
    difference(old, new)
  }

  /// Returns the keys of the rows that differ between two versions of the state.
  ///
  /// - Parameter comparison: The comparison of the versions. It computes the change set of the
  ///   database only if observers are looked up by the values of fields.
  func changedKeys(in comparison: inout RowVersionComparison) -> ChangedKeys {
    let rows = DifferingKeys(from: version(comparison.old), to: version(comparison.new))
    return ChangedKeys(detector: self, rows: rows, fields: fieldKeys(of: rows, in: &comparison))
  }

  /// Returns the keys of the observed fields: one key for each value of a field in a row that
  /// differs.
  private func fieldKeys(of rows: DifferingKeys, in comparison: inout RowVersionComparison)
    -> [RowKey]
  {
    let fields = fields.unorderedObjects.compactMap { $0 as? ObservedField }
    // If only the order of rows differs, `rows.isEmpty` is `true`, but `rows.keys` is not empty.
    // Results of queries depend on the order.
    if fields.isEmpty || rows.isEmpty && rows.keys.isEmpty { return [] }
    var entities: Set<ObjectIdentifier> = []
    for key in rows.keys {
      switch key {
      case .table(let entity), .order(let entity): entities.insert(entity)
      case .row: break
      }
    }
    var keys: [RowKey] = []
    for field in fields where field.hasOwnChanges || entities.contains(field.entity) {
      for hash in field.hashes(self, &comparison) { keys.append(field.key(hash, in: self)) }
    }
    return keys
  }

  /// Returns the row keys of an observer that filters by equality of a field.
  func observedRows<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>(
    of filter: EqualityFilter<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let entity = ObjectIdentifier(Entity.self)
    let hashes: ObservedField.Hashes = { detector, comparison in
      let (old, new) = (detector.version(in: comparison.old), comparison.new)
      return filter.hashes(from: old, to: new.of(State.self).value[keyPath: path]) {
        comparison.changeSet(of: detector) as? StorageChangeSet<Storage> ?? StorageChangeSet()
      }
    }
    // A filter is `Sendable`, and so is its key path.
    let fieldPath = unsafeBitCast(filter.path, to: (any AnyKeyPath & Sendable).self)
    let field = fields.object(DefinitionID(entity, fieldPath)) {
      ObservedField(entity, hasOwnChanges: false, hashes: hashes)
    }
    let keys = filter.hashes.map { field.key($0, in: self) }
    return RowObserverIndex.ObservedRows(detectors: [self], keys: keys, fields: [field])
  }

  /// Returns the key for observers of one row, which need not exist.
  func key<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> RowKey {
    .row(
      detector: ObjectIdentifier(self), entity: ObjectIdentifier(Entity.self), idHash: id.tableHash)
  }

  /// Returns the row keys for an observer of the rows that refer to an entity by a relationship.
  func observedRows<
    State: Sendable, Storage: NormalizedStorageType, Relationship: RelationshipType
  >(
    ofHoldersOf target: Relationship.Target.EntityID,
    _ relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let entity = ObjectIdentifier(Relationship.Holder.self)
    let hashes: ObservedField.Hashes = { detector, comparison in
      let old = detector.version(in: comparison.old)
      let storage = comparison.new.of(State.self).value[keyPath: path]
      let formerly = comparison.old.of(State.self).value[keyPath: path]
      let links = storage.snapshot.contents[keyPath: relationship]
      let formerLinks = formerly.snapshot.contents[keyPath: relationship]
      var result: Set<Int> = []
      // The value contains the holders in order. This order may change although no row differs.
      withUnsafePointer(to: formerLinks) { old in
        withUnsafePointer(to: links) { new in
          Relationship.visitDifferingTargets(old, new) { result.insert($0.hashValue) }
        }
      }
      let rows = DifferingRows(Storage.self, Relationship.Holder.self)
      rows.visitMoved(
        from: old, to: storage,
        changes: {
          comparison.changeSet(of: detector) as? StorageChangeSet<Storage> ?? StorageChangeSet()
        },
        visit: { holder in
          for id in links.targetIDs(of: holder.pointee) { result.insert(id.hashValue) }
        })
      return result
    }
    let field = fields.object(DefinitionID(entity, relationship)) {
      ObservedField(entity, hasOwnChanges: true, hashes: hashes)
    }
    let key = field.key(target.hashValue, in: self)
    return RowObserverIndex.ObservedRows(detectors: [self], keys: [key], fields: [field])
  }
}
