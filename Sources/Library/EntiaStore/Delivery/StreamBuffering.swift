/// The buffering policy of an asynchronous sequence whose consumer is slower than its producer.
public struct StreamBuffering: Hashable, Sendable {
  enum Kind: Hashable {
    case unbounded
    case newest(Int)
    case oldest(Int)
  }

  let kind: Kind

  /// Buffers all elements without a limit.
  public static let unbounded = Self(kind: .unbounded)

  /// Buffers the newest elements and drops older ones.
  /// - Parameter count: The maximum number of buffered elements; values less than 1 are treated as
  ///   1.
  public static func newest(_ count: Int) -> Self { Self(kind: .newest(max(1, count))) }

  /// Buffers the oldest elements and drops newer ones.
  /// - Parameter count: The maximum number of buffered elements; values less than 1 are treated as
  ///   1.
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

/// An asynchronous stream of the elements that a subscription receives, one subscription for each
/// loop.
struct SubscriptionStream<Element: Sendable>: Sendable {
  /// The end of a stream that an observer writes to. Releasing the observer finishes the stream.
  private final class Input: Sendable {
    let continuation: AsyncStream<Element>.Continuation

    init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }

  let buffering: StreamBuffering
  let subscribe: @Sendable (@escaping @Sendable (Element) -> Void) -> StoreSubscription

  /// Subscribes, and returns a stream of the received elements.
  func makeStream() -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: buffering.policy(of: Element.self))
    let input = Input(continuation)
    let subscription = subscribe { input.continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
