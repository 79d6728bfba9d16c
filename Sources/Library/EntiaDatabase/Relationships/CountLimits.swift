/// The limits of the number of entities that a list of keys may reference, where duplicates count,
/// or of the number of holders that may reference one entity.
///
/// The limits are checked once, at the end of a batch, for the rows whose numbers the batch may
/// have changed.
@frozen
public struct CountLimits: Hashable, Sendable, CustomStringConvertible {
  /// The least allowed number.
  public let minimum: Int
  /// The greatest allowed number, or `nil` for no maximum.
  public let maximum: Int?

  @inlinable
  init(minimum: Int, maximum: Int?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Any number.
  public static let any = CountLimits(minimum: 0, maximum: nil)

  /// Returns the limits of a number or more.
  public static func atLeast(_ minimum: Int) -> Self { Self(minimum: minimum, maximum: nil) }

  /// Returns the limits of a number or less.
  public static func atMost(_ maximum: Int) -> Self { Self(minimum: 0, maximum: maximum) }

  /// Returns the limits of a range of numbers.
  public static func between(_ range: ClosedRange<Int>) -> Self {
    Self(minimum: range.lowerBound, maximum: range.upperBound)
  }

  /// Returns the limits of exactly one number.
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
