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
