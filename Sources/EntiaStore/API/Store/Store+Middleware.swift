extension StoreComponentType {
  /// Adds a middleware after those that the store has, for the commits that begin from now on.
  ///
  /// Waits for a commit of another thread that is under way. Inside a commit of this store it returns
  /// at once, and the middleware is not called for that commit.
  ///
  /// - Parameter middleware: Checks every commit before it is published; it cannot be removed.
  public func add(middleware: StoreMiddleware<State>) { store.core.add(middleware) }
}
