/// The current state of a store, of which each part that is read is tracked by itself.
///
/// ```swift
/// StoreReader(store) { state in Text(state.searchText) }     // observes `searchText` only
/// ```
///
/// Each read returns the part as it is then, also in a closure that is called later, for example
/// for the rows of a list. Parts that are read one after another may therefore be of different
/// versions; ``primitive`` is one version of the whole state.
@dynamicMemberLookup
public struct TrackedState<State: Sendable>: Sendable {
  private let observation: StateObservation<State>
  private let broadcaster: StoreBroadcaster

  /// Creates the tracked state of a store.
  ///
  /// - Parameter store: The store; it is not retained. After it has been released, its last state
  ///   is read.
  public init<Activity>(_ store: Store<State, Activity>) {
    observation = store.core.observation
    broadcaster = store.core.broadcaster
  }

  /// A part of the state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes the changes of this part only.
  public subscript<Part>(dynamicMember path: any KeyPath<State, Part> & Sendable) -> Part {
    observation.registerRead(path)
    return broadcaster.current.of(State.self).value[keyPath: path]
  }

  /// The whole state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the state.
  public var primitive: State {
    observation.registerStateRead()
    return broadcaster.current.of(State.self).value
  }
}
