/// A type for the state of a ``Store``.
///
/// The conformance documents the intent and requires both `Equatable` and `Sendable`; a store
/// accepts any `Sendable` value. A commit that leaves an `Equatable` state unchanged does not
/// notify observers.
public protocol StateType: Equatable, Sendable {
  /// Updates what follows from other parts of the state: in the initial state of a store, and at
  /// the end of every commit that changed something. Does nothing unless implemented.
  ///
  /// - Parameters:
  ///   - state: The initial state, or the state that the commit made.
  ///   - previous: The state before the commit; the initial state as it was given to the store.
  static func reduce(modifying state: inout Self, previous: Self)
}

extension StateType {
  /// Leaves the state unchanged.
  public static func reduce(modifying state: inout Self, previous: Self) {
    DefaultReduction.recordCall()
  }
}
