import EntiaDatabase

extension StoreCore {
  /// Returns the detector of a database in the state.
  func detector<Storage: NormalizedStorageType>(
    at path: any KeyPath<State, Storage> & Sendable
  ) -> DatabaseChangeDetector {
    detectors.element(
      where: { $0.path == path },
      make: { _ in
        databases.add(path)
        return DatabaseChangeDetector(path)
      })
  }

  /// Registers with Observation a read of a row, which follows.
  func registerRead<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, at path: any KeyPath<State, Storage> & Sendable
  ) {
    let rows = observation.rows
    guard rows.isTracked else { return }
    _ = rows.registerRead(observedRows(of: CollectionOfOne(id), at: path))
  }

  /// Returns the region of an observer of some rows.
  func observedRows<Storage: NormalizedStorageType, Entity: EntityType>(
    of ids: some Sequence<EntityIdentifier<Entity>>,
    at path: any KeyPath<State, Storage> & Sendable
  ) -> RowObserverIndex.ObservedRows {
    let detector = detector(at: path)
    return RowObserverIndex.ObservedRows(
      detectors: [detector], keys: ids.map { detector.key(of: $0) })
  }
}
