package import EntiaDatabase
package import EntiaStore

extension StoreComponentType {
  package func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, through log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage> = ThreeWayMerge()
  ) throws -> DatabaseSharing<Storage> {
    let (engine, worker) = try prepareSharing(part, through: log, merge: merge, timer: .system)
    engine.start(worker)
    return DatabaseSharing(engine)
  }

  /// Records the commits to a part, for a worker that has not been started.
  func prepareSharing<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, through log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage>, timer: SharingTimer
  ) throws -> (engine: SharingEngine<Storage>, worker: SharingWorker<Storage>) {
    guard let loaded = log.lastLoaded else { throw SharedDatabaseError.notLoaded(space: log.space) }
    let engine = SharingEngine<Storage>(space: log.space, timer: timer)
    var start = loaded
    let recorded = try recordChanges(
      of: part,
      validate: { committed in
        // Equal rows are enough: a state may have been copied or decoded since.
        guard committed.changes(since: loaded.storage).isEmpty else {
          throw SharedDatabaseError.notLoaded(space: log.space)
        }
        start = SharedVersion(storage: committed, version: loaded.version)
      },
      onChange: { [weak engine] in engine?.record($0, $1, $2) },
      onCommit: { [weak engine] in engine?.noteCommit() },
      onEnd: { [weak engine] in engine?.end() })
    guard let recorded else { throw SharedDatabaseError.partIsShared(space: log.space) }
    engine.setPart(recorded)
    return (engine, SharingWorker(log, from: start, merge: merge, engine))
  }
}
