extension StoreComponentType {
  /// Adds an observer of errors that cannot be thrown. A middleware may refuse a commit, and a
  /// constraint may refuse a value that is set through a pointer.
  ///
  /// ```swift
  /// store.onProblem { problem in print(problem) }.storeWhileSourceActive()
  /// ```
  ///
  /// The store's logger is also called. In debug builds, the first problem of a store without a
  /// logger and an observer is printed.
  ///
  /// - Parameter observer: A closure that is called for each problem, on the thread of the problem
  ///   and without a lock, after the observers that were added before.
  /// - Returns: The subscription, which ends when it is released.
  public func onProblem(_ observer: @escaping @Sendable (StoreProblem) -> Void) -> StoreSubscription
  {
    store.core.problems.add(observer)
  }
}
