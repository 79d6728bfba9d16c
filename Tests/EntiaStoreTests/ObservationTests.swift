import EntiaStore
import Observation
import Testing

@Suite("Tracking by Observation")
struct ObservationTests {
  struct Form: StateType {
    var searchText = ""
    var number = 0
  }

  /// Counts how often what was read is said to change; each tracking says it once.
  private func track<Value>(_ told: Tally, _ read: () -> Value) -> Value {
    withObservationTracking(read) { told.add() }
  }

  @Test("Reading the state tracks all of it")
  func whole() {
    let store = Store<Form, Never>(initialState: Form())
    let told = Tally()
    _ = track(told) { store.state }
    store.commit { $0.number = 0 }
    #expect(told.count == 0)
    store.commit { $0.number = 1 }
    #expect(told.count == 1)
    _ = track(told) { store.state }
    store.commit { $0.searchText = "a" }
    #expect(told.count == 2)
  }

  @Test("Reading a part tracks that part only")
  func part() {
    let store = Store<Form, Never>(initialState: Form())
    let told = Tally()
    #expect(track(told) { store.searchText } == "")
    store.commit { $0.number = 1 }
    #expect(told.count == 0)
    store.commit { $0.searchText = "a" }
    #expect(told.count == 1)
    #expect(store.searchText == "a")
    store.commit { $0.searchText = "b" }
    #expect(told.count == 1)
  }

  @Test("It is told after the swap, with nothing locked: reading and committing there works")
  func afterwards() {
    let store = Store<Form, Never>(initialState: Form())
    let seen = Recorder<Int>()
    withObservationTracking {
      _ = store.number
    } onChange: {
      seen.record(store.state.number)
      store.commit { $0.searchText = "told" }
      // Would never return if a lock or the turn were held.
      onAnotherThread { store.commit { $0.searchText += " elsewhere" } }
    }
    store.commit { $0.number = 5 }
    #expect(seen.elements == [5])
    #expect(store.state == Form(searchText: "told elsewhere", number: 5))
  }

  @Test("A commit that throws tells nobody")
  func throwing() {
    let store = Store<Form, Never>(initialState: Form())
    let told = Tally()
    _ = track(told) { (store.state, store.number) }
    #expect(throws: Refused()) {
      try store.commit { state in
        state.number = 1
        throw Refused()
      }
    }
    #expect(told.count == 0)
  }
}
