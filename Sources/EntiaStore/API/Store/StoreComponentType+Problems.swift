extension StoreComponentType {
  /// Sets the handler of errors that cannot be thrown. A middleware may refuse a ``commit(_:_:)``,
  /// and a constraint may refuse a value that is set through a pointer.
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
