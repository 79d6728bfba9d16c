/// A derivation of a value from another value, written `.select(\.part)` or `.map { … }`.
///
/// If the derived value is `Equatable` or a comparison is provided, it is compared with the
/// previous one; an equal value is not a change. A derivation must depend only on its input,
/// because its result is cached.
public struct Derivation<Input: Sendable, Output: Sendable>: Sendable {
  let transform: @Sendable (Input) -> Output
  var equality = Equality<Output>()
  /// The identity shared by equal derivations; `nil` for a derivation that is equal to no other.
  var id: DefinitionID?
  var isChecked = false

  /// Returns a derivation of a part of the input.
  ///
  /// Values derived by the same key path from the same value share one computation.
  public static func select(_ keyPath: any KeyPath<Input, Output> & Sendable) -> Derivation {
    var derivation = Derivation { $0[keyPath: keyPath] }
    derivation.id = DefinitionID(keyPath)
    return derivation
  }

  /// Returns a derivation by a function of the input.
  ///
  /// The function runs on the thread that reads or delivers the value, and never under a lock.
  public static func map(_ transform: @escaping @Sendable (Input) -> Output) -> Derivation {
    Derivation(transform: transform)
  }

  /// Returns a copy that treats derived values as unchanged if a comparison returns true.
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

  /// Returns a shared copy. Values derived with an equal ID from the same value share one
  /// computation, as long as a strong reference to one of them exists.
  ///
  /// - Parameter id: The identity of the function. Equal IDs must denote functions with equal
  ///   results.
  /// - Returns: A derivation that is equal to derivations with the same ID and types.
  public func shared(id: some Hashable & Sendable) -> Derivation {
    var derivation = self
    derivation.id = DefinitionID(id)
    return derivation
  }

  /// Returns a copy that computes each value twice in debug builds. If the two values differ, the
  /// function does not depend on its input alone. The problem is then reported to the store's
  /// logger and problem handler.
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

/// The identity of a definition.
struct DefinitionID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  /// The key path that is the identity, or `nil` if the identity is another value.
  var keyPath: AnyKeyPath? { value as? AnyKeyPath }

  static func == (lhs: DefinitionID, rhs: DefinitionID) -> Bool {
    AnyHashable(lhs.value) == AnyHashable(rhs.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}
