/// An observable state: one current value, changed by commits.
///
/// ```swift
/// let store = Store<AppState, AppActivity>(initialState: .init())
/// store.commit { $0.searchText = "swift" }
/// store.sinkState { state in
///   state.ifChanged(\.searchText) { text in … }
/// }.storeWhileSourceActive()
/// ```
///
/// A store can be used from any thread. Commits are serialized. Readers never wait for a commit's
/// closure, but see the previous state. Observers are called after the state has been replaced,
/// without a lock: they may read, commit, subscribe and cancel.
///
/// The state may be any `Sendable` value. If it is `Equatable`, or the store is created with a
/// comparison, a commit that changes nothing does not notify observers; otherwise every commit
/// counts as a change, even an empty one. Activities are events that are not stored in the state; a
/// store without activities is a `Store<State, Never>`.
@dynamicMemberLookup
public final class Store<State: Sendable, Activity: Sendable>: Sendable {
  @usableFromInline let core: StoreCore<State, Activity>

  /// Creates a store with an initial state.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit. A ``StateType`` is reduced once;
  ///     middleware does not run on it.
  ///   - undoDepth: The maximum number of steps that can be undone; each retains the version before
  ///     it.
  ///   - middleware: The middleware, which inspects every commit before it is published, in this
  ///     order.
  ///   - logger: The logger of the store's events.
  ///   - isEqual: A comparison of two states that replaces `==`. For a state that is not
  ///     `Equatable`, it can compare the parts that are. A commit whose result is equal has no
  ///     effect, so the comparison must cover every part that commits change, and depend on nothing
  ///     else.
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
    core.broadcaster.end()
    core.tasks.cancelAll()
    core.endCommitObservers()
  }

  /// The current state; inside a commit, the previous state.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes every change of the state.
  ///
  /// - Complexity: O(1) plus a copy of the state; never waits for a commit.
  @inlinable public var state: State {
    core.registerStateRead()
    return core.currentValue
  }

  /// A part of the current state: `store.searchText` is `store.state.searchText`.
  ///
  /// Tracked by Observation: reading it in a tracked scope observes changes of this part only. A
  /// part with the name of a member of the store itself is read from ``state``.
  @inlinable
  public subscript<Part>(
    dynamicMember path: any KeyPath<State, Part> & Sendable
  ) -> Part {
    if core.isReadTracked { core.willTrack(path) }
    return core.currentValue[keyPath: path]
  }
}
