/// A type for the state of a ``Store``.
///
/// The conformance documents the intent and requires both `Equatable` and `Sendable`; a store
/// accepts any `Sendable` value. A commit that leaves an `Equatable` state unchanged does not
/// notify observers.
public protocol StateType: Equatable, Sendable {
  /// Updates the parts of the state that are computed from other parts. A store calls it for its
  /// initial state, and at the end of every commit that changed the state. The default
  /// implementation does nothing.
  ///
  /// - Parameters:
  ///   - state: The initial state, or the state after the commit.
  ///   - previous: The state before the commit; for the initial state, the value that was passed to
  ///     the store.
  static func reduce(modifying state: inout Self, previous: Self)
}

extension StateType {
  /// Leaves the state unchanged.
  public static func reduce(modifying state: inout Self, previous: Self) {
    DefaultReduction.recordCall()
  }
}
