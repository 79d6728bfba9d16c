/// A type for the state of a ``Store``.
///
/// The conformance documents the intent and requires both `Equatable` and `Sendable`; a store
/// accepts any `Sendable` value. A commit that leaves an `Equatable` state unchanged does not
/// notify observers.
public protocol StateType: Equatable, Sendable {
  /// Updates the parts of the state that depend on other parts, at the end of every commit that
  /// changed the state. The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - state: The state after the commit's edit.
  ///   - previous: The state before the commit.
  static func reduce(modifying state: inout Self, previous: Self)
}

extension StateType {
  /// Leaves the state unchanged.
  public static func reduce(modifying state: inout Self, previous: Self) {
    DefaultReduction.note()
  }
}
