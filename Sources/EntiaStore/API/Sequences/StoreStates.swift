/// The states of a store, or of a value derived from it, as an asynchronous sequence.
///
/// ```swift
/// for await state in store.states { … }
/// for await state in store.states(buffering: .unbounded) { … }
/// ```
///
/// Each loop begins with the current state. It ends with the store or when its task is canceled.
/// States for a slow loop coalesce according to the buffering; by default only the newest one is
/// buffered.
public struct StoreStates<State: Sendable>: AsyncSequence, Sendable {
  /// An element of the sequence.
  public typealias Element = State
  /// The sequence never throws an error.
  public typealias Failure = Never

  /// The states of one loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var base: AsyncStream<State>.Iterator

    fileprivate init(_ stream: AsyncStream<State>) { base = stream.makeAsyncIterator() }

    /// Waits for the next state; returns `nil` if the sequence has ended.
    public mutating func next() async -> State? { await base.next() }
  }

  private let stream: SubscriptionStream<State>

  init(_ source: any StateSource<State>, _ buffering: StreamBuffering = .newest(1)) {
    stream = SubscriptionStream(buffering: buffering) { receive in
      source.observe(on: .passthrough, dropsFirst: false) { state, _ in receive(state.value) }
    }
  }

  /// Returns an iterator with its own subscription.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream.makeStream()) }
}

extension Store {
  /// The states from now on, the current one first; a slow loop receives the newest.
  public var states: StoreStates<State> { StoreStates(core) }

  /// Returns the states from now on, the current one first.
  /// - Parameter buffering: The states to buffer for a slow loop. Commits that are faster than
  ///   their delivery are one change, regardless of the buffering.
  public func states(buffering: StreamBuffering) -> StoreStates<State> {
    StoreStates(core, buffering)
  }
}

extension Derived {
  /// The values from now on, the current one first; a slow loop receives the newest.
  public var states: StoreStates<Value> { StoreStates(source) }

  /// Returns the values from now on, the current one first.
  /// - Parameter buffering: The values to buffer for a slow loop.
  public func states(buffering: StreamBuffering) -> StoreStates<Value> {
    StoreStates(source, buffering)
  }
}

extension LiveQuery {
  /// The entities from now on, the current ones first; a slow loop receives the newest.
  public var states: StoreStates<[Entity]> { StoreStates(source) }

  /// Returns the entities from now on, the current ones first.
  /// - Parameter buffering: The results to buffer for a slow loop.
  public func states(buffering: StreamBuffering) -> StoreStates<[Entity]> {
    StoreStates(source, buffering)
  }

  /// The number of matching entities.
  /// - Complexity: The same as that of `value`; `store.count` maintains a number without the
  ///   entities.
  public var count: Int { value.count }
}
