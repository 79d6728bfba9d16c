extension StoreComponentType {
  /// Returns a scope of the store, for code that uses only a part of its state.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<State, Part, Activity> {
    StoreScope(store, path)
  }

  /// Keeps a part of another store's state equal to a part of this store's state: immediately, and
  /// after each change of it.
  ///
  /// ```swift
  /// session.copy(\.user, to: editor, \.author).storeWhileSourceActive()
  /// ```
  ///
  /// The part is copied before this store's commit returns, unless several threads commit; see
  /// ``DeliveryQueue/passthrough``. Do not copy in both directions if the values can never be
  /// equal, or from two threads concurrently: the copies would never end.
  ///
  /// - Parameters:
  ///   - part: The part of this state.
  ///   - other: The other store, which is not retained.
  ///   - place: The part of the other state.
  /// - Returns: The subscription, which ends when it is released.
  public func copy<Part: Equatable & Sendable, OtherState, OtherActivity>(
    _ part: any KeyPath<State, Part> & Sendable, to other: Store<OtherState, OtherActivity>,
    _ place: any WritableKeyPath<OtherState, Part> & Sendable
  ) -> StoreSubscription {
    derived(.select(part)).sinkState(queue: .passthrough) { [weak other] value in
      other?.commit { $0[keyPath: place] = value.primitive }
    }
  }
}
