/// How many elements of an asynchronous sequence wait for a loop that is slower than they come.
public struct StreamBuffering: Hashable, Sendable {
  enum Kind: Hashable {
    case unbounded
    case newest(Int)
    case oldest(Int)
  }

  let kind: Kind

  /// All elements wait; none is dropped.
  public static let unbounded = Self(kind: .unbounded)

  /// The newest elements wait; older ones are dropped.
  /// - Parameter count: How many wait at most; fewer than 1 count as 1.
  public static func newest(_ count: Int) -> Self { Self(kind: .newest(max(1, count))) }

  /// The oldest elements wait; newer ones are dropped.
  /// - Parameter count: How many wait at most; fewer than 1 count as 1.
  public static func oldest(_ count: Int) -> Self { Self(kind: .oldest(max(1, count))) }

  func policy<Element>(
    of type: Element.Type
  ) -> AsyncStream<Element>.Continuation.BufferingPolicy {
    switch kind {
    case .unbounded: .unbounded
    case .newest(let count): .bufferingNewest(count)
    case .oldest(let count): .bufferingOldest(count)
    }
  }
}
