import EntiaCollections
import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Pointers")
struct RefTests {
  struct Item: Equatable, Identifiable, Sendable {
    var id: Int
    var text = ""
    var note: String?
  }

  /// A pointer to a list of its own, and what it had to ignore.
  private func list(_ ids: Int...) -> (Ref<[Item]>, Recorder<String>) {
    let problems = Recorder<String>()
    let items = ids.map { Item(id: $0, text: "item \($0)") }
    return (Ref(initialValue: items) { problems.record($0.description) }, problems)
  }

  @Test("A part of a state is read, written and observed through the store")
  func partOfState() {
    let store = Store<_, Never>(initialState: Reading.State())
    let text = store.ref(\.searchText)
    let received = Recorder<String>()
    let names = Recorder<String?>()
    let subscription = text.addObserver { received.record($0) }
    let names2 = store.sinkState(dropsFirst: true, queue: .passthrough) {
      names.record($0.commitName)
    }
    text.value = "swift"
    text.value = "swift"
    store.commit { $0.searchText = "entia" }
    expectEqual(text.value, "entia")
    expectEqual(
      try? text.update("Shout") { text in
        text += "!"
        return text.count
      }, 6)
    expectEqual(received.elements, ["swift", "entia", "entia!"])
    expectEqual(names.elements, [nil, nil, "Shout"])
    subscription.cancel()
    text.value = "unheard"
    expectEqual(received.count, 3)
    names2.cancel()
  }

  @Test("An update that throws changes nothing")
  func updateThatThrows() {
    let (items, problems) = list(1)
    #expect(throws: Refused()) {
      try items[0].update { item in
        item.text = "lost"
        throw Refused()
      }
    }
    expectTrue(items.value == [Item(id: 1, text: "item 1")] && problems.count == 0)
  }

  @Test(
    "Law 26: an index pointer without an element returns the last known one, and reports ignored writes"
  )
  func lostIndex() {
    let (items, problems) = list(1, 2)
    let second = items[1]
    let text = second[\.text]
    let received = Recorder<String>()
    let subscription = text.addObserver { received.record($0) }
    text.value = "last words"
    items.value.removeLast()
    expectTrue(second.value == Item(id: 2, text: "last words") && text.value == "last words")
    text.value = "too late"
    expectTrue(text.value == "last words" && items.value.count == 1)
    expectEqual(
      problems.elements,
      [
        "a value set through a pointer to String was ignored: there is no element 1 any more: "
          + "the collection has 1"
      ])
    #expect(throws: RefError.noElement(index: 1, count: 1)) { try second.update { $0.text = "" } }
    items.value.append(Item(id: 3, text: "new"))
    expectEqual(second.value.id, 3)
    expectEqual(received.elements, ["last words", "new"])
    subscription.cancel()
  }

  @Test("Law 26: an index pointer does not return a value that was refused")
  func refusedElement() {
    struct Refusal: Error {}
    let store = Store<[Int], Never>(
      initialState: [1, 2],
      middleware: [
        StoreMiddleware { _, after, _ in if after.contains(99) { throw Refusal() } }
      ])
    let problems = Tally()
    store.onProblem { _ in problems.add() }.storeWhileSourceActive()
    let second = store.ref(\.self)[1]
    second.value = 3
    expectEqual(second.value, 3)
    second.value = 99
    expectTrue(second.value == 3 && problems.count == 1)
    store.commit { $0.removeLast() }
    expectEqual(second.value, 3)
  }

  @Test(
    "Law 26: an index pointer that is created too early refuses writes until there is an element")
  func earlyIndex() {
    let (items, problems) = list(1)
    let second = items[1]
    let optional = items[at: 1]
    second[\.text].value = "too early"
    optional.value = Item(id: 2, text: "too early")
    expectTrue(items.value.count == 1 && problems.count == 2 && optional.value == nil)
    #expect(throws: RefError.noElement(index: 1, count: 1)) { try second.update { $0.text = "" } }
    items.value.append(Item(id: 3, text: "new"))
    expectTrue(second.value.id == 3 && optional.value?.id == 3)
    optional[\.text].value = "newer"
    expectTrue(items.value[1].text == "newer" && second.value.text == "newer")
    optional.value = nil
    expectTrue(items.value.count == 2 && problems.count == 3)
    items.value.removeLast()
    expectTrue(optional.value == nil && second.value.text == "newer")
  }

  @Test("Reading an index pointer before there ever was an element stops")
  func unreadableIndex() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Ref(initialValue: [0])[1].value
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    expectEqual(message?.contains("there never was an element 1"), true)
  }

  @Test("Law 26: an ID pointer follows its element and is nil after its removal")
  func byID() {
    let (items, problems) = list(1, 2, 3)
    let second = items[id: 2]
    let received = Recorder<String?>()
    let subscription = second[\.text].addObserver { received.record($0) }
    items.value.reverse()
    items.value.swapAt(0, 1)
    second[\.text].value = "two"
    expectTrue(items.value.map(\.id) == [2, 3, 1] && items.value[0].text == "two")
    second[\.note].value = "noted"
    expectEqual(items.value[0].note, "noted")
    second[\.note].value = nil
    expectNil(items.value[0].note)
    second.value = nil
    expectTrue(
      items.value.map(\.id) == [3, 1] && second.value == nil && second[\.text].value == nil)
    expectEqual(problems.count, 0)
    second[\.text].value = "gone"
    second[\.note].value = "gone"
    second.value = Item(id: 2)
    expectEqual(items.value.map(\.id), [3, 1])
    expectEqual(
      problems.elements.map { $0.split(separator: ": ").last ?? "" },
      [
        "there is no Item any more to write to", "there is no Item any more to write to",
        "there is no Item 2 any more to write to",
      ])
    expectEqual(received.elements, ["two", nil])
    subscription.cancel()
  }

  @Test("A write that an ID pointer refuses has a reason and changes nothing")
  func refusedByID() throws {
    let (items, problems) = list(1)
    let first = items[id: 1]
    #expect(throws: RefError.changedID(from: "1", to: "7")) { try first.update { $0?.id = 7 } }
    #expect(throws: RefError.nilField(type: "String")) { try first[\.text].update { $0 = nil } }
    first[\.text].value = nil
    expectEqual(
      problems.elements,
      [
        "a value set through a pointer to Optional<String> was ignored: the field is a String and "
          + "cannot become nil"
      ])
    expectEqual(items.value, [Item(id: 1, text: "item 1")])
    try items[id: 5].update { $0?.text = "nobody" }
    expectTrue(items.value.count == 1 && problems.count == 1)
    expectEqual(
      "\(RefError.changedID(from: "1", to: "7"))",
      "the pointer finds its value by the ID 1; the ID cannot become 7 through it")
  }

  @Test("An element of an identified array")
  func identifiedArray() {
    let items = Ref<IdentifiedArrayOf<Item>>(
      initialValue: IdentifiedArray(uniqueElements: [Item(id: 1), Item(id: 2)]))
    items[id: 2][\.text].value = "two"
    items[0][\.text].value = "one"
    expectEqual(items.value.map(\.text), ["one", "two"])
    items[id: 1].value = nil
    expectEqual(items.value.map(\.id), [2])
  }

  @Test("A value derived from a pointer follows the value")
  func readOnly() {
    let (items, _) = list(1)
    let text: Derived<String> = items[0][\.text].derived { $0 }
    let received = Recorder<String>()
    let subscription = text.sinkState(queue: .passthrough) { received.record($0.primitive) }
    items.value[0].text = "new"
    expectTrue(text.value == "new" && received.elements == ["item 1", "new"])
    subscription.cancel()
  }

  @Test("Law 27: an observer ends when its subscription is released, and nothing outlives it")
  func lifetime() {
    weak var token: Token?
    weak var kept: Token?
    let (items, _) = list(1)
    do {
      let observed = Token()
      token = observed
      let subscription = items.addObserver { [observed] _ in _ = observed }
      items.value = []
      withExtendedLifetime(subscription) {}
    }
    expectNil(token)
    do {
      let (other, _) = list(1)
      let observed = Token()
      kept = observed
      other[0][\.text].addObserver { [observed] _ in _ = observed }.storeWhileSourceActive()
      other.value[0].text = "new"
      expectTrue(kept != nil)
    }
    expectNil(kept)
  }

  @Test("Law 24: an observer may write through the pointer it observes")
  func writeInObserver() {
    let count = Ref(initialValue: 0)
    let received = Recorder<Int>()
    let subscription = count.addObserver { value in
      received.record(value)
      if value < 3 { count.value = value + 1 }
    }
    count.value = 1
    expectTrue(received.elements == [1, 2, 3] && count.value == 3)
    subscription.cancel()
  }

  @Test("Law 23: no update from many threads is lost")
  func threads() {
    let count = Ref(initialValue: [0, 0])
    let second = count[1]
    onThreads(4) { _ in
      for _ in 0..<250 {
        #expect(throws: Never.self) { try second.update { $0 += 1 } }
        _ = second.value
      }
    }
    expectEqual(count.value, [0, 1000])
  }
}
