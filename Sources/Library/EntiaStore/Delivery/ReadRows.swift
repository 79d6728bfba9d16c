import EntiaDatabase

/// A source of values that reads rows of a database, other than those under whose keys its
/// observers are registered.
protocol RowReadingSubject: ObserverSubject {
  /// Returns the rows that the value consists of, as roots of an eviction.
  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector
  ) -> [CollectionRoot]
}

/// A request whose answer is observed, and the database with the answer.
struct AnsweredRequest: Sendable {
  let request: any Hashable & Sendable
  let database: DatabaseChangeDetector
}

/// A source of values that may read the answer to a request.
protocol RequestingSubject: ObserverSubject {
  var request: AnsweredRequest? { get }
}

extension StoreBroadcaster {
  /// The sources of all observed values, and the sources from which these are computed.
  var observedSubjects: [any ObserverSubject] {
    let listed = contents.withLock { $0.delivery.listedObservers }
    var pending = listed.compactMap(\.observer.subject)
    var result: [any ObserverSubject] = []
    var known: Set<ObjectIdentifier> = []
    while let subject = pending.popLast() {
      guard known.insert(ObjectIdentifier(subject)).inserted else { continue }
      result.append(subject)
      pending += subject.parts
    }
    return result
  }

  /// Returns the rows of a database that observers read, as roots of an eviction.
  ///
  /// Computing the result of a query runs user code, so this must be called without a lock.
  ///
  /// - Parameter tracked: The rows that Observation tracks.
  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector, tracked: [RowKey]
  ) -> [CollectionRoot] {
    var hashes: [ObjectIdentifier: Set<UInt64>] = [:]
    for key in contents.withLock({ $0.delivery.observedKeys }) + tracked {
      guard case .row(ObjectIdentifier(database), let entity, let hash) = key else { continue }
      hashes[entity, default: []].insert(hash)
    }
    let read = observedSubjects.flatMap { subject in
      (subject as? any RowReadingSubject)?.readRows(in: version, of: database) ?? []
    }
    return [.rows(withHashes: hashes)] + read
  }
}
