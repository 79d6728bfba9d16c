/// How a value is derived from another: written `.select(\.part)` or `.map { … }`.
///
/// What is derived is compared with what was derived before, when it is `Equatable`; an equal
/// value is no change. A derivation must depend on its input alone: its result is remembered.
public struct Derivation<Input: Sendable, Output: Sendable>: Sendable {
  let transform: @Sendable (Input) -> Output

  /// Derives a part of the input.
  public static func select(_ keyPath: any KeyPath<Input, Output> & Sendable) -> Derivation {
    Derivation { $0[keyPath: keyPath] }
  }

  /// Derives what a function gives for the input.
  ///
  /// The function runs where the value is read or delivered, on any thread, and never under a
  /// lock.
  public static func map(_ transform: @escaping @Sendable (Input) -> Output) -> Derivation {
    Derivation(transform: transform)
  }
}
