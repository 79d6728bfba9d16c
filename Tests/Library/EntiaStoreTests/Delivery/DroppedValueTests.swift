import EntiaStore
import EntiaTestSupport
import Testing

/// A value that does something when it goes.
private final class Farewell: Sendable {
  let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }
  deinit { action() }
}

private struct FarewellState: Sendable {
  var count = 0
  var farewell: Farewell?
}

@Suite("Values released by a failed commit")
struct DroppedValueTests {
  @Test("Law 21: a commit made by a value that a failed commit releases is delivered immediately")
  func commitInDeinit() {
    let store = Store<FarewellState, Never>(initialState: FarewellState())
    let received = Recorder<Int>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.primitive.count)
    }
    #expect(throws: Refused()) {
      try store.commit { state in
        state.farewell = Farewell { store.commit { $0.count = 42 } }
        throw Refused()
      }
    }
    expectEqual(store.state.count, 42)
    expectEqual(received.elements, [42])
    subscription.cancel()
  }

  @Test(
    "Law 24: an activity sent then is delivered after the commit lock is released, without a deadlock"
  )
  func sendInDeinit() {
    let store = Store<FarewellState, Int>(initialState: FarewellState())
    let received = Recorder<Int>()
    let subscription = store.sinkActivity(queue: .passthrough) { activity in
      // Would never return if the commit lock were still held by another commit of this thread.
      store.commit { $0.count += activity }
      received.record(activity)
    }
    #expect(throws: Refused()) {
      try store.commit { state in
        state.farewell = Farewell { store.send(7) }
        throw Refused()
      }
    }
    expectEqual(received.elements, [7])
    expectEqual(store.state.count, 7)
    subscription.cancel()
  }

  @Test("A commit made by an activity that the edit of a new layer sends stays visible")
  func layerInDeinit() throws {
    let store = Store<FarewellState, Farewell>(initialState: FarewellState())
    let commit: @Sendable () -> Void = { [weak store] in
      store?.commit(undo: .none) { $0.count = 42 }
    }
    let calls = Recorder<Int>()
    let layer = try store.addLayer { [weak store] state in
      if calls.count == 0 { store?.send(Farewell(commit)) }
      calls.record(state.count)
      state.count += 1
    }
    expectTrue(store.state.count == 43 && store.committedState.count == 42)
    try layer.confirm()
    expectEqual(store.state.count, 43)
  }
}
