/// One version of a store's state that tracks each part that is read of it by itself.
///
/// ```swift
/// StoreReader(store) { state in Text(state.searchText) }     // observes `searchText` only
/// ```
///
/// All parts are of one version.
@dynamicMemberLookup
public struct TrackedState<State: Sendable>: Sendable {
  private let observation: StateObservation<State>
  private let snapshot: Snapshot<State>

  /// Creates the current state of a store.
  ///
  /// - Parameter store: The store; it is not retained.
  public init<Activity>(_ store: Store<State, Activity>) {
    observation = store.core.observation
    snapshot = store.core.current
  }

  /// A part of the state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes the changes of this part only.
  public subscript<Part>(dynamicMember path: any KeyPath<State, Part> & Sendable) -> Part {
    observation.willRead(path)
    return snapshot.value[keyPath: path]
  }

  /// The whole state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the state.
  public var primitive: State {
    observation.willReadState()
    return snapshot.value
  }
}
