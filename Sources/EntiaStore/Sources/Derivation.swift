/// How a value is derived from another: written `.select(\.part)` or `.map { … }`.
///
/// What is derived is compared with what was derived before, when it is `Equatable` or a comparison
/// is given; an equal value is no change. A derivation must depend on its input alone: its result is
/// remembered.
public struct Derivation<Input: Sendable, Output: Sendable>: Sendable {
  let transform: @Sendable (Input) -> Output
  var equality = Equality<Output>()
  /// What equal derivations have in common; `nil` for one that is equal to no other.
  var id: DefinitionID?
  var isChecked = false

  /// Derives a part of the input.
  ///
  /// Values derived by the same path from the same value share one computation.
  public static func select(_ keyPath: any KeyPath<Input, Output> & Sendable) -> Derivation {
    var derivation = Derivation { $0[keyPath: keyPath] }
    derivation.id = DefinitionID(keyPath)
    return derivation
  }

  /// Derives what a function gives for the input.
  ///
  /// The function runs where the value is read or delivered, on any thread, and never under a
  /// lock.
  public static func map(_ transform: @escaping @Sendable (Input) -> Output) -> Derivation {
    Derivation(transform: transform)
  }

  /// The same, but what is derived counts as unchanged when this comparison says so.
  ///
  /// - Returns: A derivation that is equal to no other.
  public func removingDuplicates(
    by areEqual: @escaping @Sendable (Output, Output) -> Bool
  ) -> Derivation {
    var derivation = self
    derivation.equality = Equality(by: areEqual)
    derivation.id = nil
    return derivation
  }

  /// The same, but shared: values derived with an equal ID from the same value are one and the same,
  /// computed once for all, as long as somebody holds one of them.
  ///
  /// - Parameter id: Stands for the function; equal IDs must mean functions that give the same.
  /// - Returns: A derivation that is equal to those with the same ID and types.
  public func shared(id: some Hashable & Sendable) -> Derivation {
    var derivation = self
    derivation.id = DefinitionID(id)
    return derivation
  }

  /// The same, but in debug builds each value is computed twice, and the store's logger and problem
  /// handler are told when the two differ: the function then depends on something else than its
  /// input.
  ///
  /// - Returns: A derivation that computes once in release builds.
  public func checked() -> Derivation {
    #if DEBUG
      var derivation = self
      derivation.isChecked = true
      return derivation
    #else
      return self
    #endif
  }
}

/// A derivation gave two different values for one input.
public struct UnstableDerivation: Error, Equatable, Sendable, CustomStringConvertible {
  /// What it gave first, as text.
  public let first: String
  /// What it gave then, as text.
  public let second: String

  /// A sentence that says what it gave.
  public var description: String {
    "its function gave \(first), then \(second) for the same input"
  }
}
