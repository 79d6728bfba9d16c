import EntiaCollections

/// How two values of a type are told apart, found out once per store or derived value.
///
/// A state need not be `Equatable`, so whether it is cannot be asked at compile time everywhere;
/// and asking by a cast at each commit would cost more than most commits.
///
/// Sendable although it holds a plain function: the function captures nothing, or was given as a
/// `@Sendable` one.
@usableFromInline
struct Equality<Value>: @unchecked Sendable {
  @usableFromInline let areEqual: ((Value, Value) -> Bool)?

  /// Compares in a way of its own.
  init(by areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  /// Whether values of this type can be compared.
  var isKnown: Bool { areEqual != nil }

  init() {
    if let type = Value.self as? any ElementwiseEquatable.Type {
      areEqual = type.haveSameElements as? (Value, Value) -> Bool
    } else if let type = Value.self as? any Equatable.Type {
      areEqual = Self.function(for: type) as? (Value, Value) -> Bool
    } else {
      areEqual = nil
    }
  }

  /// Whether both are surely equal; `false` when values of this type cannot be compared.
  @inlinable
  func areSurelyEqual(_ first: Value, _ second: Value) -> Bool {
    areEqual?(first, second) ?? false
  }

  private static func function<Candidate: Equatable>(for type: Candidate.Type) -> Any {
    let function: (Candidate, Candidate) -> Bool = { haveSameValue($0, $1) }
    return function
  }
}

/// A list that is compared element by element: lists that share their memory are equal to themselves
/// even with a NaN, and so say nothing about their elements.
private protocol ElementwiseEquatable {
  /// A function of two lists, as `Any`.
  static var haveSameElements: Any { get }
}

extension Array: ElementwiseEquatable where Element: Equatable {
  fileprivate static var haveSameElements: Any {
    let function: (Self, Self) -> Bool = { EntiaCollections.haveSameElements($0, $1) }
    return function
  }
}
