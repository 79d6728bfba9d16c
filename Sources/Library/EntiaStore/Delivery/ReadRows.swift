import EntiaDatabase

extension StoreBroadcaster {
  /// The sources of all observed values, and the sources from which these values are computed.
  var observedSubjects: [any ObserverSubject] { subjects(of: []) }

  /// Returns the sources of all observed values and `others`, and all sources from which the values
  /// of these sources are computed.
  private func subjects(of others: [any ObserverSubject]) -> [any ObserverSubject] {
    let listed = contents.withLock { $0.delivery.listedObservers }
    var pending = listed.compactMap(\.observer.subject) + others
    var result: [any ObserverSubject] = []
    var known: Set<ObjectIdentifier> = []
    while let subject = pending.popLast() {
      guard known.insert(ObjectIdentifier(subject)).inserted else { continue }
      result.append(subject)
      pending += subject.parts
    }
    return result
  }

  /// Returns roots of an eviction: the rows of a database that existing queries, handles and
  /// derived values read.
  ///
  /// Computing the result of a query runs user code, so this must be called without a lock.
  ///
  /// - Parameters:
  ///   - version: The version of the state.
  ///   - database: The database.
  ///   - tracked: The rows that Observation tracks.
  ///   - existing: The existing sources of values, observed or not.
  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector, tracked: [RowKey],
    existing: [any AnyObject & Sendable]
  ) -> [CollectionRoot] {
    var hashes: [ObjectIdentifier: Set<UInt64>] = [:]
    for key in tracked {
      guard case .row(ObjectIdentifier(database), let entity, let hash) = key else { continue }
      hashes[entity, default: []].insert(hash)
    }
    let subjects = subjects(of: existing.compactMap { $0 as? any ObserverSubject })
    let read = subjects.flatMap { $0.readRows(in: version, of: database) }
    return hashes.isEmpty ? read : [.rows(withHashes: hashes)] + read
  }
}

extension CollectionRoot {
  /// Returns roots of the entities that a value consists of: an entity, or an array of entities.
  static func entities(in value: Any) -> [CollectionRoot] {
    func root<Entity: EntityType>(_ entity: Entity) -> CollectionRoot { .entity(entity.entityID) }
    if let entity = value as? any EntityType { return [root(entity)] }
    return (value as? [any EntityType])?.map { root($0) } ?? []
  }
}
