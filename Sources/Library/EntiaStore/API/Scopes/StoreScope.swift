/// A scope of a store: it reads, changes and observes only a part of the store's state.
///
/// ```swift
/// let settings = store.scope(\.settings)
/// settings.commit { $0.isDark = true }             // a commit of the store
/// settings.sinkState { settings in … }             // called when the settings have changed
/// ```
///
/// It retains the store.
@dynamicMemberLookup
public final class StoreScope<Whole: Sendable, State: Sendable, Activity: Sendable>: Sendable {
  /// A pointer to the part.
  public let ref: Ref<State>
  /// The part as a derived value.
  public let current: Derived<State>
  let store: Store<Whole, Activity>
  let path: any WritableKeyPath<Whole, State> & Sendable

  init(
    _ store: Store<Whole, Activity>, _ path: any WritableKeyPath<Whole, State> & Sendable
  ) {
    self.store = store
    self.path = path
    ref = store.ref(path)
    current = store.derived(.select(path))
  }

  /// The current value of the part. Tracked by Observation.
  public var state: State { current.value }

  /// A member of the part.
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    state[keyPath: path]
  }

  /// Changes the part, like ``Store/commit(_:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, fileID: fileID, line: line) { try body(&$0[keyPath: path]) }
  }

  /// Changes the part and throws the refusal of a middleware, like
  /// ``Store/tryCommit(_:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.tryCommit(name, fileID: fileID, line: line) { try body(&$0[keyPath: path]) }
  }

  /// Sends an activity to the store's observers of activities.
  public func send(_ activity: Activity) { store.send(activity) }
}

extension StoreScope: StateObservable {
  /// The sequence of the part's values, beginning with the current one. A slow loop skips to the
  /// newest value.
  public var states: StoreStates<State> { current.states }
}
