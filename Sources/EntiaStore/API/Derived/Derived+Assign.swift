extension Derived {
  /// Writes the value to a pointer, now and after each change.
  ///
  /// ```swift
  /// session.derived(.select(\.user.name)).assign(to: editor.ref(\.author)).storeWhileSourceActive()
  /// ```
  ///
  /// Each write is a commit to what the pointer points into. A value that is refused there is ignored
  /// and reported, as a value that is set through the pointer.
  ///
  /// - Parameters:
  ///   - pointer: The pointer.
  ///   - queue: Where it is written; by default before the commit that changed the value returns.
  /// - Returns: The subscription, which ends when it is released.
  public func assign(
    to pointer: Ref<Value>, queue: DeliveryQueue = .passthrough
  ) -> StoreSubscription {
    sinkState(queue: queue) { pointer.value = $0.primitive }
  }
}
