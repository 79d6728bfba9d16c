/// A state over time: one current value, changed by commits, observed by whoever wants to know.
///
/// ```swift
/// let store = Store<AppState, AppActivity>(initialState: .init())
/// store.commit { $0.searchText = "swift" }
/// store.sinkState { state in
///   state.ifChanged(\.searchText) { text in … }
/// }.storeWhileSourceActive()
/// ```
///
/// Usable from any thread. Commits take turns; readers never wait for a commit's closure, but see
/// the state before it. Observers are called after the state has been swapped in, with nothing
/// locked: they may read, commit, subscribe and cancel.
///
/// The state may be any `Sendable` value; when it is `Equatable`, a commit that changes nothing
/// notifies nobody. Activities are events that leave no trace in the state; a store without any
/// is a `Store<State, Never>`.
public final class Store<State: Sendable, Activity: Sendable>: Sendable {
  let core: StoreCore<State, Activity>

  /// Makes a store that begins with this state.
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - undoDepth: How many steps can be undone; each keeps the version before it alive.
  public init(initialState: State, undoDepth: Int = 100) {
    core = StoreCore(initialState: initialState, undoDepth: undoDepth)
  }

  deinit {
    core.hub.end()
  }

  /// The current state; inside a commit, the state before it.
  ///
  /// - Complexity: O(1) and a copy of the state; never waits for a commit.
  public var state: State { core.current.value }
}
