import EntiaDatabase

/// Access to a running store for an inspection. It retains the state of the store, but not the
/// store.
package struct InspectedStore<State: Sendable, Activity: Sendable>: Sendable {
  /// The use of a part of the committed state.
  package struct Part: Sendable {
    /// The part, such as `library`.
    package let name: String
    /// Whether the part is shared with other processes. Otherwise it is saved to a file.
    package let isShared: Bool
  }

  private let core: StoreCore<State, Activity>

  fileprivate init(_ core: StoreCore<State, Activity>) { self.core = core }

  /// The current state. Reading it is not tracked by Observation.
  package var state: State { core.current.value }

  /// The type of the state.
  package var stateName: String { TypeName.of(State.self) }

  /// Records the commits that begin later.
  package func add(_ recorder: CommitRecorder) { core.add(recorder) }

  /// Ends the recording of commits.
  package func remove(_ recorder: CommitRecorder) { core.remove(recorder) }

  /// The observers, in the order in which they were added.
  package var observers: [InspectedObserver] {
    core.broadcaster.inspectedObservers(ofState: stateName)
  }

  /// The shared queries that exist, observed or not, in the order in which they were created.
  package var sharedQueries: [InspectedQuery] {
    (core.definitions?.sources ?? []).compactMap { ($0 as? any ObserverSubject)?.inspectedQuery }
  }

  /// The parts that are saved or shared, in the order in which this began.
  package var parts: [Part] {
    core.commitObservers.withLock { $0 }.map {
      Part(name: pathName($0.part), isShared: $0.purpose == .sharing)
    }
  }
}

extension StoreComponentType {
  /// Access to the store for an inspection.
  package var inspected: InspectedStore<State, Activity> { InspectedStore(store.core) }
}
