/// An asynchronous stream of the elements that a subscription receives, one subscription for each
/// loop.
struct SubscriptionStream<Element: Sendable>: Sendable {
  /// Ends a stream when the observer that detectors it is released.
  private final class Feed: Sendable {
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
    let detector = Feed(continuation)
    let subscription = subscribe { detector.continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
