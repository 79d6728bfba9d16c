/// The hooks that run at every commit of a store, in addition to the commit's closure.
struct CommitHooks<State: Sendable>: Sendable {
  private let added: Protected<[StoreMiddleware<State>]>
  let logger: StoreLogger?
  /// The state's own hook, if it is a `StateType`.
  let reduce: (@Sendable (inout State, State) -> Void)?

  init(middleware: [StoreMiddleware<State>], logger: StoreLogger?) {
    added = Protected(middleware)
    self.logger = logger
    reduce = (State.self as? any StateType.Type).flatMap {
      Self.reduction(of: $0) as? @Sendable (inout State, State) -> Void
    }
  }

  /// The middleware in the order in which it was added.
  var middleware: [StoreMiddleware<State>] { added.withLock { $0 } }

  /// Adds a middleware after the others; called in the turn.
  func add(_ middleware: StoreMiddleware<State>) { added.withLock { $0.append(middleware) } }

  private static func reduction<Reducing: StateType>(of type: Reducing.Type) -> Any {
    let reduction: @Sendable (inout Reducing, Reducing) -> Void = { state, previous in
      Reducing.reduce(modifying: &state, previous: previous)
    }
    return reduction
  }
}
