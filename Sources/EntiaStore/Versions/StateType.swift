/// A value fit to be the state of a ``Store``.
///
/// Adopting it is a way to say so and to be asked for both conformances at once; a store takes any
/// `Sendable` value. A commit that leaves an `Equatable` state as it was notifies nobody.
public protocol StateType: Equatable, Sendable {
  /// Brings what follows from other parts of the state in step, at the end of every commit that
  /// changed something. Does nothing unless stated otherwise.
  ///
  /// - Parameters:
  ///   - state: The state that the commit made.
  ///   - previous: The state before the commit.
  static func reduce(modifying state: inout Self, previous: Self)
}

extension StateType {
  /// Leaves the state as the commit made it.
  public static func reduce(modifying state: inout Self, previous: Self) {
    DefaultReduction.note()
  }
}
