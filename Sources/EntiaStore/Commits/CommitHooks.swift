/// The hooks that run at every commit of a store, in addition to the commit's closure.
struct CommitHooks<State: Sendable>: Sendable {
  let middleware: [StoreMiddleware<State>]
  let logger: StoreLogger?
  /// The state's own hook, if it is a `StateType`.
  let reduce: (@Sendable (inout State, State) -> Void)?

  init(middleware: [StoreMiddleware<State>], logger: StoreLogger?) {
    self.middleware = middleware
    self.logger = logger
    reduce = (State.self as? any StateType.Type).flatMap {
      Self.reduction(of: $0) as? @Sendable (inout State, State) -> Void
    }
  }

  /// Calls the middleware, which may change the state or throw a refusal.
  func apply(_ before: State, _ after: inout State, _ mark: CommitMark) throws {
    for middleware in middleware { try middleware.check(before, &after, mark) }
  }

  private static func reduction<Reducing: StateType>(of type: Reducing.Type) -> Any {
    let reduction: @Sendable (inout Reducing, Reducing) -> Void = { state, previous in
      Reducing.reduce(modifying: &state, previous: previous)
    }
    return reduction
  }
}
