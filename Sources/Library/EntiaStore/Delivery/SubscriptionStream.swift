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
