/// A middleware, called for every commit that changes the state, before the commit is published. It
/// may change the state further or refuse the commit.
///
/// ```swift
/// StoreMiddleware<AppState> { before, after, name in
///   if after.cart.total > limit { throw TooExpensive() }
///   after.edits += 1
/// }
/// ```
///
/// A middleware runs under the commit lock. Inside it, reading the store returns the previous
/// state, and a commit to the same store stops the process. If it throws an error, the commit is
/// refused: the state is unchanged and no observer is notified. `tryCommit` throws the refusal;
/// `commit` reports it to the store's logger and to its `onProblem` handler. Undoing and redoing
/// are commits too. A refused undo or redo leaves the undo steps unchanged.
///
/// A store retains its middleware, so a closure that uses the store should capture it weakly.
public struct StoreMiddleware<State: Sendable>: Sendable {
  /// The identity of an added middleware, and its subscription. The end of the subscription removes
  /// the middleware.
  struct Removal: Sendable {
    let id: UniqueIdentity
    let subscription: StoreSubscription
  }

  let check:
    @Sendable (_ before: State, _ after: inout State, _ metadata: CommitMetadata) throws -> Void
  /// `nil` for a middleware that the store was created with.
  var removal: Removal?

  /// Creates a middleware from a closure.
  ///
  /// - Parameter check: A closure that is called with the state before the commit, the state after
  ///   it, and the commit's name. It must depend on these alone, because it may be called more than
  ///   once for a commit.
  public init(
    _ check:
      @escaping @Sendable (
        _ before: State, _ after: inout State, _ name: String?
      ) throws -> Void
  ) {
    self.check = { try check($0, &$1, $2.name) }
  }

  /// Creates a middleware from a closure that also uses the commit's context.
  ///
  /// - Parameter check: A closure that is called with the state before the commit, the state after
  ///   it, the commit's name and its context. It must depend on these alone, because it may be
  ///   called more than once for a commit.
  public init(
    _ check:
      @escaping @Sendable (
        _ before: State, _ after: inout State, _ name: String?, _ context: CommitContext
      ) throws -> Void
  ) {
    self.check = { try check($0, &$1, $2.name, $2.context) }
  }
}

/// The hooks that run at every commit of a store, in addition to the commit's closure.
struct CommitHooks<State: Sendable>: Sendable {
  /// The middleware in the order in which it was added.
  let middleware: Mutex<[StoreMiddleware<State>]>
  let logger: StoreLogger?
  /// The state's own hook, if the state is a `StateType` and the store calls its hook.
  let reduce: (@Sendable (inout State, State) -> Void)?

  init(middleware: [StoreMiddleware<State>], logger: StoreLogger?, reduces: Bool = true) {
    self.middleware = Mutex(middleware)
    self.logger = logger
    let type = reduces ? State.self as? any StateType.Type : nil
    reduce = type.flatMap { Self.reduction(of: $0) as? @Sendable (inout State, State) -> Void }
  }

  private static func reduction<Reducing: StateType>(of type: Reducing.Type) -> Any {
    let reduction: @Sendable (inout Reducing, Reducing) -> Void = { state, previous in
      Reducing.reduce(modifying: &state, previous: previous)
    }
    return reduction
  }
}
