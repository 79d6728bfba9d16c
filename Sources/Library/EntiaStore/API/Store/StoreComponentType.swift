import EntiaDatabase

/// A type built around a store, such as a view model. It has all the methods of its store.
///
/// ```swift
/// final class Counter: StoreComponentType {
///   struct State: Equatable { var count = 0 }
///   let store: Store<State, Never> = .init(initialState: .init())
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
///
/// If the state is declared outside of the type, `typealias State = AppState` names it. Without the
/// typealias, the compiler may not find the state in other files.
///
/// A store is a component too, so a function that accepts any component accepts a store.
public protocol StoreComponentType<State, Activity>: StorePart where Whole == State {}

extension StoreComponentType {
  /// The current state of the store; inside a commit, the state before the commit.
  public var state: State { store.state }

  /// The sequence of states, beginning with the current one. A slow loop skips to the newest state.
  public var states: StoreStates<State> { StoreStates(store.core) }

  /// The key path of the state itself.
  public var pathInStore: any WritableKeyPath<State, State> & Sendable { \.self }

  /// Edits the state itself.
  @inlinable
  @inline(__always)
  public func withPart<Result>(
    of whole: inout State, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try body(&whole)
  }
}

extension Store: StoreComponentType {
  /// The store itself.
  @inlinable public var store: Store { self }
}

/// Access to a running store for an inspection. It retains the state of the store, but not the
/// store.
package struct InspectedStore<State: Sendable, Activity: Sendable>: Sendable {
  /// A part of the committed state that is saved or shared.
  package struct Part: Sendable {
    /// The key path of the part in words, such as `library`.
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

  /// Adds a recorder of the commits that begin after this call.
  package func add(_ recorder: CommitRecorder) { core.add(recorder) }

  /// Ends the recording of commits.
  package func remove(_ recorder: CommitRecorder) { core.remove(recorder) }

  /// The observers, in the order in which they were added.
  package var observers: [InspectedObserver] {
    core.broadcaster.inspectedObservers(ofState: stateName)
  }

  /// The existing queries, observed or not, in the order in which they were created.
  package var sharedQueries: [InspectedQuery] {
    (core.definitions?.objects ?? []).compactMap { ($0 as? any ObserverSubject)?.inspectedQuery }
  }

  /// The saved and shared parts, in the order in which their observers were added.
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
  /// Adds a middleware after the existing ones, for the commits that begin after this call.
  ///
  /// If another thread is committing, this method waits for that commit. Inside a commit of this
  /// store it returns immediately, and the middleware is not called for that commit.
  ///
  /// The store retains the middleware and the values that its closure captures. A closure that uses
  /// the store should capture it weakly; otherwise the store is released only after the middleware
  /// has been removed:
  ///
  /// ```swift
  /// store.add(middleware: StoreMiddleware { [weak store] _, _, _ in store?.send(.edited) })
  /// ```
  ///
  /// - Parameter middleware: Checks every commit before it is published.
  /// - Returns: A subscription. When it is canceled, the middleware is removed, and is not called
  ///   for commits that begin afterwards. If the subscription is released without being canceled,
  ///   the middleware stays as long as the store exists.
  @discardableResult
  public func add(middleware: StoreMiddleware<State>) -> StoreSubscription {
    store.core.add(middleware)
  }
}

extension StorePart {
  /// Adds an observer of errors that cannot be thrown: for example, a middleware refuses a commit,
  /// or a constraint refuses a value that is set through a pointer.
  ///
  /// ```swift
  /// store.onProblem { problem in print(problem) }.storeWhileSourceActive()
  /// ```
  ///
  /// The store's logger also receives each error. In debug builds, the first problem is printed if
  /// the store has neither a logger nor an observer.
  ///
  /// - Parameter observer: A closure that is called for each problem, on the thread of the problem
  ///   and without a lock. Observers are called in the order in which they were added.
  /// - Returns: The subscription, which ends when it is released.
  public func onProblem(_ observer: @escaping @Sendable (StoreProblem) -> Void) -> StoreSubscription
  {
    store.core.problems.add(observer)
  }
}

extension StoreComponentType {
  /// Undoes the last step: restores the state before it, and notifies observers.
  ///
  /// A step is a commit that changed the state, a group of commits, or several coalesced commits.
  /// The undo is a commit too, named after the step. Calling this method inside a commit of this
  /// store is a programming error that terminates the process.
  ///
  /// Later commits that are not steps are kept, as described in
  /// ``Store/commit(_:context:undo:fileID:line:_:)``: background commits, confirmed layers, and
  /// commits with ``UndoRecording/none``. If a middleware or a rule of a database refuses the undo,
  /// nothing changes, and the step can still be undone. If the undo changes nothing, because of
  /// later commits, the step is removed and cannot be redone.
  ///
  /// - Returns: Whether there was a step, and its undo was not refused.
  /// - Complexity: The same as that of a commit, plus the number of the rows that commits with
  ///   ``UndoRecording/none`` have changed since the step.
  @discardableResult
  public func undo() -> Bool { store.core.undo() }

  /// Redoes the last undone step, unless another step has been made since.
  ///
  /// Later commits that are not steps are kept. If the redo changes nothing, because of later
  /// commits, the step is removed. Calling this method inside a commit of this store is a
  /// programming error that terminates the process.
  ///
  /// - Returns: Whether there was a step, and its redo was not refused.
  /// - Complexity: The same as that of a commit, plus the number of the rows that commits with
  ///   ``UndoRecording/none`` have changed since the step.
  @discardableResult
  public func redo() -> Bool { store.core.redo() }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !store.core.history.steps.undoable.isEmpty }

  /// Whether there is a step to redo.
  public var canRedo: Bool { !store.core.history.steps.redoable.isEmpty }

  /// The name of the step that would be undone; `nil` if it has no name or there is no step.
  public var undoName: String? { store.core.history.steps.undoable.last?.name }

  /// The name of the step that would be redone; `nil` if it has no name or there is no step.
  public var redoName: String? { store.core.history.steps.redoable.last?.name }

  /// The state to which an undo would lead, for example for a preview; `nil` if there is no step to
  /// undo. The middleware is not called, although it might change or refuse this state.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, the same as that of an undo.
  public var undoState: State? { store.core.preview(.back) }

  /// The state to which a redo would lead; `nil` if there is no step to redo. The middleware is not
  /// called, although it might change or refuse this state.
  /// - Complexity: O(1); after commits with ``UndoRecording/none``, the same as that of a redo.
  public var redoState: State? { store.core.preview(.forward) }

  /// The names of all steps that can be undone, the next one first.
  /// - Complexity: O(*n*), where *n* is the number of steps.
  public var undoNames: [String?] {
    store.core.history.steps.undoable.elements.reversed().map(\.name)
  }

  /// The names of all steps that can be redone, the next one first.
  /// - Complexity: O(*n*), where *n* is the number of steps.
  public var redoNames: [String?] { store.core.history.steps.redoable.reversed().map(\.name) }

  /// Removes all steps; the state is unchanged.
  public func clearHistory() { store.core.history.clear() }
}

/// A committed state of a store. Observers read several parts of one version from it.
package struct CommittedState: Sendable {
  let version: AnyStateVersion

  /// Returns whether two states are the same version.
  package func isIdentical(to other: CommittedState) -> Bool { version === other.version }
}

/// An observer of the commits of a store. It retains the state of the store, but not the store.
package struct CommitObservation: Sendable {
  private let observer: CommitObserver
  private let problems: ProblemLog
  private let readState: @Sendable () -> CommittedState
  private let remove: @Sendable () -> Void

  init<State>(_ observer: CommitObserver, of core: StoreCore<State, some Sendable>) {
    self.observer = observer
    problems = core.problems
    readState = { CommittedState(version: core.committed) }
    remove = { core.remove(observer) }
  }

  /// The state of the store without optimistic layers, as of the last commit.
  package var state: CommittedState { readState() }

  /// Retains an object in the store until the observer ends.
  package func hold(_ object: any AnyObject & Sendable) {
    observer.held.withLock { $0 = object }
  }

  /// Reports a problem to the logger and the problem handler of the store.
  package func report(_ problem: StoreProblem) { problems.report(problem) }

  /// Removes the observer without calling its `onEnd`, and releases the object that it holds.
  package func end() {
    remove()
    observer.held.release { $0.take() }
  }
}

/// A part of the committed state of a store, with the observer that saves it.
package struct CommittedPart<Part: Sendable>: Sendable {
  package let observation: CommitObservation
  private let read: @Sendable (CommittedState) -> Part

  fileprivate init(
    _ observation: CommitObservation, read: @escaping @Sendable (CommittedState) -> Part
  ) {
    self.observation = observation
    self.read = read
  }

  /// Returns the part in a committed state of the same store.
  package func value(in state: CommittedState) -> Part { read(state) }
}

extension StoreComponentType {
  /// Adds an observer that saves a part. The observer is also notified of commits that changed only
  /// other parts.
  /// - Parameters:
  ///   - path: The key path of the observed part in the state.
  ///   - onCommit: Called by the committing thread after each commit, without a lock.
  ///   - onEnd: Called when the store is deinitialized.
  /// - Returns: The part, or `nil` if an observer already saves it.
  package func observeCommits<Part: Sendable>(
    of path: any KeyPath<State, Part> & Sendable, onCommit: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> CommittedPart<Part>? {
    let core = store.core
    let observer = CommitObserver(of: path, for: .saving, onCommit: onCommit, onEnd: onEnd)
    guard core.add(observer, validate: { _ in }) else { return nil }
    return CommittedPart(CommitObservation(observer, of: core)) {
      $0.version.of(State.self).value[keyPath: path]
    }
  }

  /// The identity of the store. No other store has it while an observer of this store's commits
  /// exists.
  package var committedStateID: ObjectIdentifier { ObjectIdentifier(store.core) }
}
