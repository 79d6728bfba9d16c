extension Store {
  /// Sets the handler of errors that could not be thrown: a ``commit(_:_:)`` that a middleware
  /// refuses, a value set through a pointer that a constraint refuses.
  ///
  /// The store's logger is called too. In debug builds the first problem of a store with neither is
  /// printed.
  ///
  /// - Parameter handler: Is called on the thread that made the problem, with nothing locked; `nil`
  ///   for none. It replaces the former handler.
  public func onProblem(_ handler: (@Sendable (StoreProblem) -> Void)?) {
    let former = core.problems.handler.withLock { current in
      let former = current
      current = handler
      return former
    }
    withExtendedLifetime(former) {}
  }
}
