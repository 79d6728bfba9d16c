/// A value fit to be the state of a ``Store``.
///
/// Adopting it is a way to say so and to be asked for both conformances at once; a store takes any
/// `Sendable` value. A commit that leaves an `Equatable` state as it was notifies nobody.
public protocol StateType: Equatable, Sendable {}
