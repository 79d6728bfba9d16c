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
/// inside joins. What it throws refuses the commit: the state stays as it was and no observer is
/// notified. `tryCommit` throws the refusal; `commit` reports it to the store's logger and to its
/// `onProblem` handler. Undoing and redoing are commits too; a refused one leaves
/// what can be undone as it was.
public struct StoreMiddleware<State: Sendable>: Sendable {
  let check: @Sendable (_ before: State, _ after: inout State, _ mark: CommitMark) throws -> Void

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
    self.check = { try check($0, &$1, $2.name) }
  }

  /// Makes a middleware of a closure that looks at the commit's context too.
  ///
  /// - Parameter check: Takes the state before the commit, the state after it, the commit's name
  ///   and its context. It must depend on these alone: it may be called more than once for a commit.
  public init(
    _ check:
      @escaping @Sendable (
        _ before: State, _ after: inout State, _ name: String?, _ context: CommitContext
      ) throws -> Void
  ) {
    self.check = { try check($0, &$1, $2.name, $2.context) }
  }
}
