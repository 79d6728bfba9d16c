import EntiaDatabase

/// A type built around a store, such as a view model: it offers everything that its store offers.
///
/// ```swift
/// final class Counter: StoreComponentType {
///   struct State: Equatable { var count = 0 }
///   let store: Store<State, Never> = .init(initialState: .init())
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
///
/// A store is a component whose store is itself, so a function that takes any component takes a
/// store too.
public protocol StoreComponentType<State, Activity>: StateObservable {
  /// The state of the store.
  associatedtype State
  /// The type of the activities that the store sends.
  associatedtype Activity: Sendable

  /// The store that everything is forwarded to.
  var store: Store<State, Activity> { get }
}

extension StoreComponentType {
  /// The current state of the store; inside a commit, the state before it.
  public var state: State { store.state }

  /// The sequence of states, beginning with the current one. A slow loop skips to the newest state.
  public var states: StoreStates<State> { StoreStates(store.core) }
}

extension Store: StoreComponentType {
  /// The store itself.
  @inlinable public var store: Store { self }
}

extension StoreComponentType {
  /// Changes the state outside the caller's actor, and returns after all observers have been
  /// called.
  ///
  /// The closure runs on the concurrent executor; otherwise this is ``commit(_:fileID:line:_:)``.
  /// The method returns after observers on the main actor and on other queues have been called, so
  /// these must not wait for it.
  ///
  /// The commit is not an undo step unless requested, and undoing an earlier step keeps it, as
  /// described in ``commit(_:context:undo:fileID:line:_:)``. The closure may be called again then,
  /// so it must edit the state without other effects.
  ///
  /// - Parameters:
  ///   - name: A name for the change.
  ///   - undo: Whether the commit is an undo step.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - body: A closure that edits the state.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func backgroundCommit<Result: Sendable>(
    _ name: String? = nil, undo: UndoRecording = .none,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (inout State) throws -> Result
  ) async throws -> Result {
    let core = store.core
    let result = try await Task.detached(priority: Task.currentPriority) {
      try core.commitOrThrow(
        CommitRequest(
          CommitMetadata(name: name), undo: undo, at: fileID, line: line, replaying: body), body)
    }.value
    await core.broadcaster.waitForDelivery()
    return result
  }
}

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

extension StoreComponentType {
  /// Adds a middleware after those that the store has, for the commits that begin from now on.
  ///
  /// Waits for a commit of another thread that is under way. Inside a commit of this store it
  /// returns at once, and the middleware is not called for that commit.
  ///
  /// The store retains the middleware, and with it what its closure captures. A closure that uses
  /// the store captures it weakly; otherwise the store is released only after the middleware has
  /// been removed:
  ///
  /// ```swift
  /// store.add(middleware: StoreMiddleware { [weak store] _, _, _ in store?.send(.edited) })
  /// ```
  ///
  /// - Parameter middleware: Checks every commit before it is published.
  /// - Returns: A subscription that need not be kept: the middleware stays as long as the store
  ///   exists, unless the subscription is canceled. The commits that begin from then on are not
  ///   checked by it.
  @discardableResult
  public func add(middleware: StoreMiddleware<State>) -> StoreSubscription {
    store.core.add(middleware)
  }
}

extension StoreComponentType {
  /// Adds an observer of errors that cannot be thrown. A middleware may refuse a commit, and a
  /// constraint may refuse a value that is set through a pointer.
  ///
  /// ```swift
  /// store.onProblem { problem in print(problem) }.storeWhileSourceActive()
  /// ```
  ///
  /// The store's logger is also called. In debug builds, the first problem of a store without a
  /// logger and an observer is printed.
  ///
  /// - Parameter observer: A closure that is called for each problem, on the thread of the problem
  ///   and without a lock, after the observers that were added before.
  /// - Returns: The subscription, which ends when it is released.
  public func onProblem(_ observer: @escaping @Sendable (StoreProblem) -> Void) -> StoreSubscription
  {
    store.core.problems.add(observer)
  }
}

extension StoreComponentType {
  /// Undoes the last step that changed a part of the state, in that part alone. The rest of the
  /// state is unchanged, and the step's other changes can still be undone.
  ///
  /// Later changes of the part by commits with ``UndoRecording/none`` are kept, as by ``undo()``.
  /// The redo steps of the whole state are removed. Inside a commit of this store it stops.
  ///
  /// - Returns: Whether there was a step that changed the part.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps, and one
  ///   comparison of the state for each later step.
  @discardableResult
  public func undo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.undo(part) }

  /// Redoes the last undo of a part of the state, in that part alone, unless the part has changed
  /// since, even by a commit that is not a step.
  ///
  /// Inside a commit of this store it stops.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.redo(part) }

  /// Returns whether a step that can be undone changed a part of the state.
  /// - Complexity: O(*n*) comparisons of the part, where *n* is the number of steps.
  public func canUndo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable
  ) -> Bool { store.core.canUndo(part) }

  /// Returns whether an undo of a part of the state can be redone.
  public func canRedo<Part>(_ part: any WritableKeyPath<State, Part> & Sendable) -> Bool {
    !store.core.history.undone(part).isEmpty
  }
}
