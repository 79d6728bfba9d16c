/// A subscription of an observer. It ends when this object is released or canceled, or with the
/// store.
///
/// When the subscription ends, no further call begins and the observer's closure is released, even
/// if the closure itself ends the subscription. A call in progress on another thread is completed.
/// For observers on the main actor no call can be in progress when the main actor ends the
/// subscription.
public final class StoreSubscription: Sendable {
  private struct Contents {
    weak var owner: (any SubscriptionOwner)?
  }

  /// The owner of a subscription to something other than a store.
  private final class ExternalSource: SubscriptionOwner {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func end(_ id: UInt64) { action() }
    func keep(_ subscription: StoreSubscription, _ id: UInt64) {}
  }

  private let id: UInt64
  private let contents: Mutex<Contents>
  /// The owner of a subscription to something other than a store; `nil` for a store. Nothing else
  /// retains the owner.
  private let source: ExternalSource?

  init(id: UInt64, owner: any SubscriptionOwner) {
    self.id = id
    contents = Mutex(Contents(owner: owner))
    source = nil
  }

  /// Creates a subscription to something other than a store; see
  /// ``Ref/init(get:set:addObserver:)``.
  ///
  /// - Parameter onEnd: A closure that ends the observation. It is called once, when the
  ///   subscription is released or canceled.
  public init(onEnd: @escaping @Sendable () -> Void) {
    let source = ExternalSource(onEnd)
    id = 0
    contents = Mutex(Contents(owner: source))
    self.source = source
  }

  deinit {
    cancel()
  }

  /// Ends the subscription immediately; does nothing if it has already ended.
  public func cancel() {
    takeOwner()?.end(id)
  }

  /// Keeps the subscription active as long as its source store exists, even without a strong
  /// reference to the subscription.
  ///
  /// A subscription to a derived value is retained by the underlying store, and retains the derived
  /// value.
  ///
  /// - Returns: The subscription itself, which can be used to cancel it earlier.
  @discardableResult
  public func storeWhileSourceActive() -> StoreSubscription {
    contents.withLock { $0.owner }?.keep(self, id)
    return self
  }

  private func takeOwner() -> (any SubscriptionOwner)? {
    contents.withLock { contents in
      let owner = contents.owner
      contents.owner = nil
      return owner
    }
  }
}

protocol SubscriptionOwner: AnyObject, Sendable {
  func end(_ id: UInt64)
  func keep(_ subscription: StoreSubscription, _ id: UInt64)
}

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

/// The input of a stream, retained by the observer that writes to it. Releasing the observer
/// finishes the stream.
private final class StreamInput<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream of the elements that a subscription receives. When either the stream or the
  /// subscription ends, the other ends too.
  init(
    buffering: StreamBuffering,
    subscribe: (_ receive: @escaping @Sendable (Element) -> Void) -> StoreSubscription
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: buffering.policy(of: Element.self))
    let input = StreamInput(continuation)
    let subscription = subscribe { input.continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    self = stream
  }
}
