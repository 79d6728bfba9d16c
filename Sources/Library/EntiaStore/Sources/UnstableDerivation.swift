/// The error of a derivation that returned two different values for one input.
public struct UnstableDerivation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The first result, as text.
  public let first: String
  /// The second result, as text.
  public let second: String

  /// A description of the two results.
  public var description: String {
    "its function gave \(first), then \(second) for the same input"
  }
}
