public import Observation

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
/// A store can be used from any thread. Commits are serialized. While the closure of a commit runs,
/// readers do not wait, but see the previous state. Observers are called after the state has been
/// replaced, without a lock, so they may read, commit, subscribe and cancel.
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
  ///   - undoDepth: The maximum number of steps that can be undone. Each step retains the version
  ///     before it.
  ///   - middleware: The middleware. Each one is called for every commit, before the commit is
  ///     published, in the order of the array.
  ///   - logger: The logger of the store's events.
  ///   - isEqual: A comparison of two states that replaces `==`. For a state that is not
  ///     `Equatable`, it can compare the `Equatable` parts. A commit with an equal result has no
  ///     effect, so the comparison must cover every part that commits change, and depend on nothing
  ///     else.
  public init(
    initialState: State, undoDepth: Int = 100, middleware: [StoreMiddleware<State>] = [],
    logger: StoreLogger? = nil, isEqual: (@Sendable (State, State) -> Bool)? = nil
  ) {
    core = StoreCore(
      initialState: initialState, undoDepth: undoDepth,
      hooks: CommitHooks(middleware: middleware, logger: logger),
      equality: isEqual.map { Equality(by: Equality.withFreshness($0, isThorough: true)) }
        ?? Equality(isThorough: true))
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
  /// Tracked by Observation: reading it in a tracked scope observes changes of this part only. If
  /// the store itself has a member of that name, read the part from ``state``.
  @inlinable
  public subscript<Part>(
    dynamicMember path: any KeyPath<State, Part> & Sendable
  ) -> Part {
    if core.isReadTracked { core.willTrack(path) }
    return core.currentValue[keyPath: path]
  }
}

/// The type of unavailable properties of a store.
///
/// A state may have a part with the name of a method of the store, such as `query`. `store.query`
/// is then the method, and the part is `store.state.query`. The store has an unavailable property
/// for each such method. Its message shows how to read the part.
public struct PartToReadFromState: Sendable {}

/// The current state of a store, for reading its parts. Observation tracks each part on its own.
///
/// ```swift
/// StoreReader(store) { state in Text(state.searchText) }     // observes `searchText` only
/// ```
///
/// Each read returns the part at the time of the read, also in a closure that is called later, for
/// example for the rows of a list. Parts that are read one after another may therefore belong to
/// different versions. ``primitive`` is one version of the whole state.
@dynamicMemberLookup
public struct TrackedState<State: Sendable>: Sendable {
  private let observation: StateObservation<State>
  private let broadcaster: StoreBroadcaster

  /// Creates the tracked state of a store.
  ///
  /// - Parameter store: The store, which is not retained. After the release of the store, the
  ///   tracked state remains the last state of the store.
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

/// Observation tracks the reads of a store's state: of the whole state, of each part, of derived
/// values, rows and queries.
///
/// In SwiftUI, `.environment(store)` adds a store to the environment, and
/// `@Environment(Store<AppState, Never>.self)` reads it.
extension Store: Observable {}
