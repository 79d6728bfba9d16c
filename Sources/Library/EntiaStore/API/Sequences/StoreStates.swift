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
  let source: any StateSource<State>
  private let buffering: StreamBuffering

  init(_ source: any StateSource<State>, _ buffering: StreamBuffering = .newest(1)) {
    self.source = source
    self.buffering = buffering
  }

  /// Returns an iterator with its own subscription.
  public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
    let source = source
    let stream = AsyncStream<State>(buffering: buffering) { receive in
      source.observe(on: .passthrough, dropsFirst: false) { state, _ in receive(state.value) }
    }
    return stream.makeAsyncIterator()
  }
}
