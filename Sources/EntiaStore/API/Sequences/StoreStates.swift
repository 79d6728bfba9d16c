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

  let source: any StateSource<State>
  private let buffering: StreamBuffering

  init(_ source: any StateSource<State>, _ buffering: StreamBuffering = .newest(1)) {
    self.source = source
    self.buffering = buffering
  }

  /// Returns an iterator with its own subscription.
  public func makeAsyncIterator() -> AsyncIterator {
    let source = source
    let stream = SubscriptionStream<State>(buffering: buffering) { receive in
      source.observe(on: .passthrough, dropsFirst: false) { state, _ in receive(state.value) }
    }
    return AsyncIterator(stream.makeStream())
  }
}

extension StoreScope: StateObservable {
  /// The part from now on, its current value first; a slow loop receives the newest.
  public var states: StoreStates<State> { current.states }
}

extension Derived: StateObservable {
  /// The value, as what is observed.
  public typealias State = Value

  /// The values from now on, the current one first; a slow loop receives the newest.
  public var states: StoreStates<Value> { StoreStates(source) }
}

extension Ref: StateObservable {
  /// The value, as what is observed.
  public typealias State = Value

  /// The values from now on, the current one first; a slow loop receives the newest.
  public var states: StoreStates<Value> { StoreStates(source) }
}

extension EntityHandle: StateObservable {
  /// The entity and whether it is still there, as what is observed.
  public typealias State = Seen

  /// The entity from now on, as it is now first; a slow loop receives the newest.
  public var states: StoreStates<Seen> { seen.states }
}

extension LiveQuery: StateObservable {
  /// The entities, as what is observed.
  public typealias State = [Entity]

  /// The entities from now on, the current ones first; a slow loop receives the newest.
  public var states: StoreStates<[Entity]> { StoreStates(source) }

  /// The number of entities that match now.
  /// - Complexity: That of `value`; `store.count` keeps a number without keeping the entities.
  public var count: Int { value.count }
}
