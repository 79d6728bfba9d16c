package import EntiaDatabase
package import EntiaStore
package import Foundation

extension StoreComponentType {
  /// Shares a part of the state through a log.
  package func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage> = ThreeWayMerge(), outbox: URL? = nil
  ) throws -> DatabaseSharing<Storage> {
    let (engine, worker) = try prepareSharing(
      part, through: log, merge: merge, timer: .system, outbox: outbox)
    engine.start(worker)
    return DatabaseSharing(engine)
  }

  /// Records the commits to a part, for a worker that has not been started.
  func prepareSharing<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, through log: any SharedLog<Storage>,
    merge: ThreeWayMerge<Storage>, timer: SharingTimer, outbox: URL? = nil
  ) throws -> (engine: SharingEngine<Storage>, worker: SharingWorker<Storage>) {
    guard let loaded = log.lastLoaded else { throw SharedDatabaseError.notLoaded(space: log.space) }
    let engine = SharingEngine<Storage>(
      space: log.space, timer: timer,
      outbox: try outbox.map { try Outbox<Storage>($0, space: log.space) })
    var start = loaded
    let recorded = try recordChanges(
      of: part,
      validate: { committed in
        // Equal rows are enough: a state may have been copied or decoded since.
        guard committed.changes(since: loaded.storage).isEmpty else {
          throw SharedDatabaseError.notLoaded(space: log.space)
        }
        start = SharedVersion(storage: committed, position: loaded.position)
      },
      onChange: { [weak engine] in engine?.record($0, $1, $2) },
      onCommit: { [weak engine] in engine?.noteCommit() },
      onEnd: { [weak engine] in engine?.end() })
    guard let recorded else { throw SharedDatabaseError.partIsShared(space: log.space) }
    engine.setPart(recorded)
    engine.noteSkipped(loaded.unreadable.rows)
    return (engine, SharingWorker(log, from: start, merge: merge, engine))
  }
}
