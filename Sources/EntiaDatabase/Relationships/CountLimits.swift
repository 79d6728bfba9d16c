/// How many entities a list of keys may name, duplicates counted each.
///
/// The limits are judged once, at the end of a batch, for the holders whose rows the batch changed.
@frozen
public struct CountLimits: Hashable, Sendable, CustomStringConvertible {
  /// The least number that is allowed.
  public let minimum: Int
  /// The greatest number that is allowed, or `nil` when there is none.
  public let maximum: Int?

  @inlinable
  init(minimum: Int, maximum: Int?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Any number.
  public static let any = CountLimits(minimum: 0, maximum: nil)

  /// A number or more.
  public static func atLeast(_ minimum: Int) -> Self { Self(minimum: minimum, maximum: nil) }

  /// A number or fewer.
  public static func atMost(_ maximum: Int) -> Self { Self(minimum: 0, maximum: maximum) }

  /// A number in the range.
  public static func between(_ range: ClosedRange<Int>) -> Self {
    Self(minimum: range.lowerBound, maximum: range.upperBound)
  }

  /// Exactly a number.
  public static func exactly(_ count: Int) -> Self { Self(minimum: count, maximum: count) }

  /// Whether a number is allowed.
  public func allow(_ count: Int) -> Bool {
    count >= minimum && maximum.map { count <= $0 } ?? true
  }

  /// The limits in words, as in `at least 1`.
  public var description: String {
    switch (minimum, maximum) {
    case (let minimum, let maximum?) where minimum == maximum: "exactly \(minimum)"
    case (...0, let maximum?): "at most \(maximum)"
    case (let minimum, let maximum?): "\(minimum) to \(maximum)"
    case (...0, nil): "any number"
    case (let minimum, nil): "at least \(minimum)"
    }
  }
}
