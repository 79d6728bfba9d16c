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
/// The state may be any `Sendable` value. When it is `Equatable`, or the store is created with a
/// comparison, a commit that changes nothing notifies no observer; otherwise every commit counts as a
/// change, even an empty one. Activities are events that leave no trace in the state; a store without any
/// is a `Store<State, Never>`.
@dynamicMemberLookup
public final class Store<State: Sendable, Activity: Sendable>: Sendable {
  @usableFromInline let core: StoreCore<State, Activity>

  /// Makes a store that begins with this state.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit; no hook is asked about it.
  ///   - undoDepth: How many steps can be undone; each keeps the version before it alive.
  ///   - middleware: Looks at every commit before it is published, in this order.
  ///   - logger: Is told what happens.
  ///   - isEqual: Whether two states count as equal, in place of `==`. For a state that is not
  ///     `Equatable`, it can compare the parts that are. A commit that leaves an equal state has no
  ///     effect, so it must compare every part that commits change, and depend on nothing else.
  public init(
    initialState: State, undoDepth: Int = 100, middleware: [StoreMiddleware<State>] = [],
    logger: StoreLogger? = nil, isEqual: (@Sendable (State, State) -> Bool)? = nil
  ) {
    core = StoreCore(
      initialState: initialState, undoDepth: undoDepth,
      hooks: CommitHooks(middleware: middleware, logger: logger),
      equality: isEqual.map { Equality(by: $0) } ?? Equality())
  }

  deinit {
    core.hub.end()
    core.tasks.cancelAll()
  }

  /// The current state; inside a commit, the state before it.
  ///
  /// - Complexity: O(1) and a copy of the state; never waits for a commit.
  ///
  /// Tracked by Observation: whoever reads it is told of every change of the state.
  @inlinable public var state: State {
    core.willReadState()
    return core.current.value
  }

  /// A part of the current state: `store.searchText` is `store.state.searchText`.
  ///
  /// Tracked by Observation: whoever reads it is told of changes of this part only. A part that is
  /// named like a member of the store itself is read from ``state``.
  public subscript<Part>(
    dynamicMember path: any KeyPath<State, Part> & Sendable
  ) -> Part {
    core.observation.willRead(path)
    return core.current.value[keyPath: path]
  }
}
