/// Looks at every commit that changes something, before it is published, and may change more or
/// refuse it.
///
/// ```swift
/// StoreMiddleware<AppState> { before, after, name in
///   if after.cart.total > limit { throw TooExpensive() }
///   after.edits += 1
/// }
/// ```
///
/// It runs in the turn of the commit: the store read inside gives the state before, and a commit
/// inside joins. What it throws refuses the commit: the state stays as it was, nobody is notified,
/// and the store's logger is told why.
public struct StoreMiddleware<State: Sendable>: Sendable {
  let check: @Sendable (_ before: State, _ after: inout State, _ name: String?) throws -> Void

  /// Makes a middleware of a closure.
  ///
  /// - Parameter check: Takes the state before the commit, the state after it, and the commit's
  ///   name. It must depend on these alone: it may be called more than once for a commit.
  public init(
    _ check:
      @escaping @Sendable (
        _ before: State, _ after: inout State, _ name: String?
      ) throws -> Void
  ) {
    self.check = check
  }
}
