/// The states of a store, or the values of what is derived from one, one after another.
///
/// ```swift
/// for await state in store.states { … }
/// ```
///
/// Each loop begins with the current state and ends with the store or when its task is canceled. One
/// that is slower than the commits is given the newest state, not those it missed: at most one waits
/// for it.
public struct StoreStates<State: Sendable>: AsyncSequence, Sendable {
  /// An element of the sequence.
  public typealias Element = State
  /// It never throws.
  public typealias Failure = Never

  /// Gives the states to one loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<State>.Iterator

    fileprivate init(_ stream: AsyncStream<State>) { base = stream.makeAsyncIterator() }

    /// Waits for a state that has not been given yet; `nil` once there will be none.
    public mutating func next() async -> State? { await base.next() }
  }

  /// Ends a loop when the observer that feeds it is gone.
  private final class Feed: Sendable {
    let continuation: AsyncStream<State>.Continuation

    init(_ continuation: AsyncStream<State>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }

  private let subscribe: @Sendable (@escaping @Sendable (State) -> Void) -> StoreSubscription

  init(_ source: any StateSource<State>) {
    subscribe = { receive in
      source.observe(on: .passthrough, dropsFirst: false) { state, _ in receive(state.value) }
    }
  }

  /// Begins a loop.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    let feed = Feed(continuation)
    let subscription = subscribe { feed.continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return AsyncIterator(stream)
  }
}

extension Store {
  /// The states from now on, the current one first; a slow reader is given the newest.
  public var states: StoreStates<State> { StoreStates(core) }
}

extension Derived {
  /// The values from now on, the current one first; a slow reader is given the newest.
  public var states: StoreStates<Value> { StoreStates(source) }
}
