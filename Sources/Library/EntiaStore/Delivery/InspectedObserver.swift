import Dispatch

/// An observer of a store, described for an inspection.
package struct InspectedObserver: Sendable {
  /// The number of the observer in the order in which observers were added.
  package let number: UInt64
  /// The observed value in words.
  package let subject: String
  /// The target on which the observer is called, such as `main`.
  package let target: String
  /// The query that produces the observed value, or `nil` if no query does.
  package let query: InspectedQuery?
}

extension StoreBroadcaster {
  /// The observers, in the order in which they were added.
  ///
  /// - Complexity: O(*n*) for *n* observers, plus the plans of their queries.
  func inspectedObservers(ofState state: String) -> [InspectedObserver] {
    let listed = contents.withLock { $0.delivery.listedObservers }
    // Describing a value may run user code, so it happens without the lock.
    return listed.sorted { $0.observer.id < $1.observer.id }.map { listed in
      let subject = listed.observer.subject
      return InspectedObserver(
        number: listed.observer.id,
        subject: subject?.subject ?? (listed.isOfActivities ? "activities" : state),
        target: listed.target.name, query: subject?.inspectedQuery)
    }
  }
}

extension DeliveryTarget {
  /// The name of the target.
  fileprivate var name: String {
    switch self {
    case .passthrough: "passthrough"
    case .main: "main"
    case .asyncMain: "asyncMain"
    case .queue(let queue): "queue \(queue.label)"
    case .actor(let actor): "actor \(type(of: actor))"
    }
  }
}
