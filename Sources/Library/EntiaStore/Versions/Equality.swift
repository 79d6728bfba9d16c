import EntiaCollections
import EntiaDatabase

/// The comparison of two values of a type, determined once per store or derived value.
///
/// A state need not be `Equatable`, so generic code cannot compare states without a dynamic cast. A
/// dynamic cast at each commit would cost more than most commits.
///
/// Sendable although the type of `areEqual` is not `@Sendable`: the function captures only values
/// and functions that are safe to share.
@usableFromInline
struct Equality<Value>: @unchecked Sendable {
  @usableFromInline let areEqual: ((Value, Value) -> Bool)?

  init(by areEqual: @escaping (Value, Value) -> Bool) { self.areEqual = areEqual }

  var isKnown: Bool { areEqual != nil }

  /// Creates the comparison by `==`, which also compares the ages and answers of received rows in
  /// databases.
  /// - Parameter isThorough: Whether values are compared that do not follow each other, see
  ///   `withFreshness(_:isThorough:)`.
  init(isThorough: Bool = false) {
    let areEqual: ((Value, Value) -> Bool)?
    if let type = Value.self as? any ElementwiseEquatable.Type {
      areEqual = type.haveSameElements as? (Value, Value) -> Bool
    } else if let type = Value.self as? any Equatable.Type {
      areEqual = Self.function(for: type) as? (Value, Value) -> Bool
    } else {
      areEqual = nil
    }
    self.areEqual = areEqual.map { Self.withFreshness($0, isThorough: isThorough) }
  }

  /// Returns whether both values are certainly equal; `false` if values of this type cannot be
  /// compared.
  @inlinable
  func areSurelyEqual(_ lhs: Value, _ rhs: Value) -> Bool {
    areEqual?(lhs, rhs) ?? false
  }

  private static func function<Candidate: Equatable>(for type: Candidate.Type) -> Any {
    let function: (Candidate, Candidate) -> Bool = { haveSameValue($0, $1) }
    return function
  }
}

/// An array that is compared element by element. The `==` of arrays that share storage returns true
/// even for NaN elements, because it does not compare the elements.
private protocol ElementwiseEquatable {
  static var haveSameElements: Any { get }
}

extension Array: ElementwiseEquatable where Element: Equatable {
  fileprivate static var haveSameElements: Any {
    let function: (Self, Self) -> Bool = { EntiaCollections.haveSameElements($0, $1) }
    return function
  }
}
