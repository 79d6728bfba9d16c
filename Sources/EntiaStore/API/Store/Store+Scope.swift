extension Store {
  /// The store as those see it who have to do with a part of its state only.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<State, Part, Activity> {
    StoreScope(self, path)
  }

  /// Keeps a part of another store's state equal to a part of this one's: now, and after each change
  /// of it.
  ///
  /// ```swift
  /// session.copy(\.user, to: editor, \.author).storeWhileSourceActive()
  /// ```
  ///
  /// Copied before this store's commit returns, unless several threads commit; see
  /// ``DeliveryQueue/passthrough``. Do not copy there and back for parts whose values
  /// can never be equal, nor from two threads at once: neither would come to rest.
  ///
  /// - Parameters:
  ///   - part: The part of this state.
  ///   - other: The other store; it is not held.
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
