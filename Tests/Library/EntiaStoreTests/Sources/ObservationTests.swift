import EntiaDatabase
import EntiaTestSupport
import Observation
import Testing

@testable import EntiaStore

@Suite("Tracking by Observation")
struct ObservationTests {
  struct Form: StateType {
    var searchText = ""
    var number = 0
  }

  /// Counts how often what was read is said to change; each tracking says it once.
  private func track<Value>(_ notified: Tally, _ read: () -> Value) -> Value {
    withObservationTracking(read) { notified.add() }
  }

  @Test("Reading the state tracks all of it")
  func whole() {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    _ = track(notified) { store.state }
    store.commit { $0.number = 0 }
    expectEqual(notified.count, 0)
    store.commit { $0.number = 1 }
    expectEqual(notified.count, 1)
    _ = track(notified) { store.state }
    store.commit { $0.searchText = "a" }
    expectEqual(notified.count, 2)
  }

  @Test("A store is observable, as an environment requires")
  func observable() {
    func isObservable(_ object: some AnyObject & Observable) -> Bool { true }
    expectTrue(isObservable(Store<Form, Never>(initialState: Form())))
  }

  @Test("A tracked state tracks the parts that are read of it, and returns them as they are then")
  func trackedState() {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    let state = TrackedState(store)
    expectEqual(track(notified) { state.searchText }, "")
    store.commit { $0.number = 1 }
    expectEqual(notified.count, 0)
    expectEqual(state.number, 1)
    expectEqual(TrackedState(store).number, 1)
    store.commit { $0.searchText = "a" }
    expectEqual(notified.count, 1)
    // As in a closure of a view that is called again: what is read now is tracked, not the first
    // version.
    expectEqual(track(notified) { state.searchText }, "a")
    store.commit { $0.searchText = "b" }
    expectEqual(notified.count, 2)
    expectEqual(track(notified) { state.primitive.searchText }, "b")
    store.commit { $0.number = 2 }
    expectEqual(notified.count, 3)
  }

  @Test(
    "A tracked state that a commit changed before the first read returns the new state, and tracks it"
  )
  func trackedLater() {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    let state = TrackedState(store)
    store.commit { $0.searchText = "a" }
    expectEqual(track(notified) { state.searchText }, "a")
    store.commit { $0.searchText = "b" }
    expectTrue(notified.count == 1 && state.searchText == "b")
  }

  @Test("A tracked state retains no store, and returns its last state")
  func trackedRelease() {
    func make() -> (TrackedState<Form>, () -> Bool) {
      let store = Store<Form, Never>(initialState: Form())
      let state = TrackedState(store)
      store.commit { $0.number = 3 }
      return (state, { [weak store] in store == nil })
    }
    let (state, isReleased) = make()
    expectTrue(isReleased() && state.number == 3)
  }

  @Test("Reading a pointer tracks its value only, also through a pointer that is released")
  func pointer() throws {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    let text = store.ref(\.searchText)
    expectEqual(track(notified) { text.value }, "")
    store.commit { $0.number = 1 }
    expectEqual(notified.count, 0)
    text.value = "a"
    expectEqual(notified.count, 1)
    _ = track(notified) { store.ref(\.number).value }
    store.commit { $0.searchText = "b" }
    expectEqual(notified.count, 1)
    store.commit { $0.number = 2 }
    expectEqual(notified.count, 2)
    _ = track(notified) { store.ref(\.self).value }
    store.commit { $0.number = 3 }
    expectEqual(notified.count, 3)
    // A value of its own.
    let name = Ref(initialValue: Form())
    _ = track(notified) { name[\.searchText].value }
    name[\.number].value = 1
    expectEqual(notified.count, 3)
    name[\.searchText].value = "c"
    expectEqual(notified.count, 4)
    // Nothing is observed any more once the tracked reads have been notified.
    expectEqual(store.core.broadcaster.contents.withLock { $0.delivery.observerCount }, 0)
  }

  @Test("Reading a field of an entity through a pointer tracks it until the entity is removed")
  func entityPointer() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1), Item(id: 2)]))
    let notified = Tally()
    let item = store.ref(Item.EntityID(1), in: \.shop)
    expectEqual(track(notified) { item[\.name].value }, "")
    store.put(Item(id: 2, name: "other"))
    store.put(Item(id: 1, price: 9))
    expectEqual(notified.count, 0)
    store.put(Item(id: 1, name: "new"))
    expectEqual(notified.count, 1)
    expectEqual(track(notified) { item[\.name].value }, "new")
    store.drop(1)
    expectEqual(notified.count, 2)
    expectNil(item[\.name].value)
  }

  @Test("Reading a part tracks that part only")
  func part() {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    expectEqual(track(notified) { store.searchText }, "")
    store.commit { $0.number = 1 }
    expectEqual(notified.count, 0)
    store.commit { $0.searchText = "a" }
    expectEqual(notified.count, 1)
    expectEqual(store.searchText, "a")
    store.commit { $0.searchText = "b" }
    expectEqual(notified.count, 1)
  }

  @Test(
    "Observation is notified after the publication without a lock: reading and committing there works"
  )
  func afterwards() {
    let store = Store<Form, Never>(initialState: Form())
    let seen = Recorder<Int>()
    withObservationTracking {
      _ = store.number
    } onChange: {
      seen.record(store.state.number)
      store.commit { $0.searchText = "told" }
      // Would never return if a lock or the commit lock were held.
      onAnotherThread { store.commit { $0.searchText += " elsewhere" } }
    }
    store.commit { $0.number = 5 }
    expectEqual(seen.elements, [5])
    expectEqual(store.state, Form(searchText: "told elsewhere", number: 5))
  }

  @Test("Law 24: a change made during a notification is notified when that one has ended")
  func changingAgain() {
    let store = Store<Form, Never>(initialState: Form())
    let seen = Recorder<Int>()
    withObservationTracking {
      _ = store.number
    } onChange: {
      seen.record(store.state.number)
      guard seen.count < 50 else { return }
      store.commit { $0.number += 1 }
      onAnotherThread { store.commit { $0.number += 10 } }
    }
    store.commit { $0.number = 5 }
    // Each tracking says it once, however often it changes.
    expectEqual(seen.elements, [5])
    expectEqual(store.state.number, 16)
  }

  @Test("A derived value tracks itself, and not what it is derived from")
  func derived() {
    let store = Store<Form, Never>(initialState: Form())
    let isEven = store.derived(.map { $0.number.isMultiple(of: 2) })
    let notified = Tally()
    for (number, count, tracks) in [
      (2, 0, true), (3, 1, false), (5, 1, false), (7, 1, true), (8, 2, false), (9, 2, false),
    ] {
      if tracks { _ = track(notified) { isEven.value } }
      store.commit { $0.number = number }
      expectEqual(notified.count, count)
    }
  }

  @Test("Reading an entity tracks its row, even if the derived value is released")
  func entity() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1), Item(id: 2)]))
    let notified = Tally()
    for count in 1...5 {
      expectTrue(track(notified) { store.entity(Item.EntityID(1), in: \.shop).value } != nil)
      store.put(Item(id: 2, price: count))
      store.commit { $0.searchText += "x" }
      expectEqual(notified.count, count - 1)
      store.put(Item(id: 1, price: count))
      expectEqual(notified.count, count)
    }
  }

  @Test("A query that is read tracks its result")
  func query() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, price: 5)]))
    let query = store.query(FetchDescriptor<Item> { $0.price > 3 }, in: \.shop)
    let notified = Tally()
    expectEqual(track(notified) { query.value.count }, 1)
    store.put(Item(id: 2, price: 1))
    expectEqual(notified.count, 0)
    store.put(Item(id: 2, price: 4))
    expectEqual(notified.count, 1)
    expectEqual(track(notified) { query.value.count }, 2)
    store.drop(1)
    expectEqual(notified.count, 2)
  }

  @Test("Law 27: a tracked value that was released is notified of its next change, and then freed")
  func releasing() {
    let store = Store<Form, Never>(initialState: Form())
    weak var watched: Token?
    let notified = Tally()
    do {
      let token = Token()
      watched = token
      _ = track(notified) {
        store.derived(
          .map { form in
            withExtendedLifetime(token) {}
            return form.number
          }
        ).value
      }
    }
    store.commit { $0.searchText = "other" }
    expectTrue(watched != nil)
    store.commit { $0.number = 1 }
    expectEqual(notified.count, 1)
    expectNil(watched)
  }

  @Test("A commit that throws notifies no observer")
  func throwing() {
    let store = Store<Form, Never>(initialState: Form())
    let notified = Tally()
    _ = track(notified) { (store.state, store.number) }
    #expect(throws: Refused()) {
      try store.commit { state in
        state.number = 1
        throw Refused()
      }
    }
    expectEqual(notified.count, 0)
  }
}
