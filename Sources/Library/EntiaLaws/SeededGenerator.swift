/// A random number generator that depends only on its seed: it returns the same numbers in every
/// process and on every platform.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// let roll = Int.random(in: 1...6, using: &random)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator. Equal seeds result in equal numbers.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  /// - Complexity: O(1).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a random number in a range.
  public mutating func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns `true` with a probability of 1 in `count`.
  public mutating func oneIn(_ count: Int) -> Bool { number(in: 0..<count) == 0 }
}
