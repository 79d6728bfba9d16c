extension StoreComponentType {
  /// Sets the handler of errors that cannot be thrown, such as a ``commit(_:_:)`` that a middleware
  /// refuses, or a value set through a pointer that a constraint refuses.
  ///
  /// The store's logger is also called. In debug builds, the first problem of a store without a
  /// logger and a handler is printed.
  ///
  /// - Parameter handler: The new handler, which is called on the thread of the problem without a
  ///   lock; `nil` for none. It replaces the previous handler.
  public func onProblem(_ handler: (@Sendable (StoreProblem) -> Void)?) {
    let former = store.core.problems.handler.withLock { current in
      let former = current
      current = handler
      return former
    }
    withExtendedLifetime(former) {}
  }
}
