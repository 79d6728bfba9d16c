import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

/// What users of the predecessors type, as they type it.
@Suite("Fixed names of pointers compile as written and work as documented")
struct FixedPointerNamesTests {
  struct Person: Equatable {
    var name: String
    var addresses: [String]
  }

  @Test("An address book whose first person's name is a pointer")
  func addressBook() {
    let book = Ref<[Person]>(initialValue: [])
    book.value.append(Person(name: "Test", addresses: []))
    let first: Ref<Person> = book[0]
    let name: Ref<String> = first[\.name]
    let received = Recorder<String>()
    name.value = "New Name"
    expectEqual(book.value, [Person(name: "New Name", addresses: [])])
    let subscription = name.addObserver { newValue in received.record(newValue) }
    name.value = "Newer Name"
    first.value.name = "Newest Name"
    first[\.addresses].value.append("Home")
    expectEqual(received.elements, ["Newer Name", "Newest Name"])
    expectEqual(first.value, Person(name: "Newest Name", addresses: ["Home"]))
    subscription.cancel()
  }

  @Test("A history behind a pointer")
  func history() {
    let source: Ref<History<[Person]>> = Ref(initialValue: History(initialValue: []))
    let people: Ref<[Person]> = source[\.value]
    let counts = Recorder<Int>()
    let subscription = people.addObserver { counts.record($0.count) }
    people.value.append(Person(name: "Ann", addresses: []))
    people[0][\.name].value = "Bob"
    source.value.undo()
    expectEqual(people.value.map(\.name), ["Ann"])
    source.value.undo()
    expectTrue(people.value.isEmpty)
    source.value.redo()
    source.value.redo()
    expectEqual(people.value.map(\.name), ["Bob"])
    expectEqual(counts.elements, [1, 1, 1, 0, 1, 1])
    subscription.cancel()
  }

  @Test("A pointer into a store by ID, and the undo of its writes")
  func store() throws {
    let store = Store<_, Never>(initialState: try Reading.State.sample())
    let author = store.ref(Reading.Author.EntityID(1), in: \.library)
    author[\.name].value = "New name"
    expectEqual(store.state.library.authors.find(by: 1)?.name, "New name")
    try author.update { $0?.name = "Newer name" }
    expectEqual(author.value?.name, "Newer name")
    store.undo()
    expectEqual(author[\.name].value, "New name")
    store.redo()
    expectEqual(author[\.name].value, "Newer name")
  }
}
