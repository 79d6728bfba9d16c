extension Derived {
  /// Writes the value to a pointer, immediately and after each change.
  ///
  /// ```swift
  /// session.derived(.select(\.user.name)).assign(to: editor.ref(\.author)).storeWhileSourceActive()
  /// ```
  ///
  /// Each write is a commit to the pointer's target. A refused value is ignored and reported, like
  /// a value that is set through the pointer.
  ///
  /// - Parameters:
  ///   - pointer: The pointer.
  ///   - queue: The queue of the writes; by default, the value is written before the commit that
  ///     changed it returns.
  /// - Returns: The subscription, which ends when it is released.
  public func assign(
    to pointer: Ref<Value>, queue: DeliveryQueue = .passthrough
  ) -> StoreSubscription {
    sinkState(queue: queue) { pointer.value = $0.primitive }
  }
}
