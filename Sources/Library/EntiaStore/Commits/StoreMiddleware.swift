/// A middleware, which inspects every commit that changes the state before it is published, and may
/// change the state further or refuse the commit.
///
/// ```swift
/// StoreMiddleware<AppState> { before, after, name in
///   if after.cart.total > limit { throw TooExpensive() }
///   after.edits += 1
/// }
/// ```
///
/// It runs under the commit lock: reading the store returns the previous state, and a nested
/// commit joins. Throwing an error refuses the commit: the state is unchanged and no observer is
/// notified. `tryCommit` throws the refusal; `commit` reports it to the store's logger and to its
/// `onProblem` handler. Undoing and redoing are commits too; a refused one leaves the undo steps
/// unchanged.
///
/// A store retains its middleware, so a closure that uses the store captures it weakly.
public struct StoreMiddleware<State: Sendable>: Sendable {
  /// How a middleware that was added to a store is removed from it.
  struct Removal: Sendable {
    let number: Int
    let subscription: StoreSubscription
  }

  let check:
    @Sendable (_ before: State, _ after: inout State, _ metadata: CommitMetadata) throws -> Void
  /// `nil` for a middleware that the store was created with.
  var removal: Removal?

  /// Creates a middleware from a closure.
  ///
  /// - Parameter check: A closure that is called with the state before the commit, the state after
  ///   it, and the commit's name. It must depend on these alone: it may be called more than once
  ///   for a commit.
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
  ///   it, the commit's name and its context. It must depend on these alone: it may be called more
  ///   than once for a commit.
  public init(
    _ check:
      @escaping @Sendable (
        _ before: State, _ after: inout State, _ name: String?, _ context: CommitContext
      ) throws -> Void
  ) {
    self.check = { try check($0, &$1, $2.name, $2.context) }
  }
}
