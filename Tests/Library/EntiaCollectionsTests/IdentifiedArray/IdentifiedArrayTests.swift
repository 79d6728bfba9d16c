import EntiaCollections
import EntiaTestSupport
import Testing

/// Every form of the API, by example.
@Suite("IdentifiedArray: examples")
struct IdentifiedArrayTests {
  @Test("Elements are read and changed by ID")
  func byID() {
    var list = todos(1, 2, 3)
    expectEqual(list[id: 2]?.title, "t2")
    expectNil(list[id: 9])
    list[id: 2]?.isComplete.toggle()
    expectTrue(list[1].isComplete)
    list[id: 9]?.isComplete.toggle()
    expectEqual(list.count, 3)
    list[id: 2] = nil
    expectEqual(list.ids, [1, 3])
    list[id: 4] = Todo(id: 4)
    list[id: 1] = Todo(id: 1, title: "new")
    expectEqual(list.ids, [1, 3, 4])
    expectEqual(list[0].title, "new")
    expectTrue(list.contains(Todo(id: 4, title: "other")))
    expectTrue(list.contains(id: 3))
    expectFalse(list.contains(id: 2))
    expectEqual(list.index(id: 4), 2)
    expectNil(list.index(id: 2))
  }

  @Test("An optional element can be set in place: to another, to nil, from nil")
  func optionalInPlace() {
    func change(_ element: inout Todo?, _ new: Todo?) { element = new }
    var list = todos(1, 2)
    let before = list
    change(&list[id: 1], Todo(id: 1, title: "new"))
    change(&list[id: 2], nil)
    change(&list[id: 3], Todo(id: 3))
    change(&list[id: 4], nil)
    expectEqual(list, [Todo(id: 1, title: "new"), Todo(id: 3)])
    expectEqual(before, todos(1, 2))
    change(&list[id: 1], nil)
    change(&list[id: 3], nil)
    expectTrue(list.isEmpty)
  }

  @Test("A change by ID keeps what the element refers to uniquely referenced")
  func inPlace() {
    struct Row: Identifiable {
      let id: Int
      var numbers: [Int]
    }
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1, numbers: Array(0..<100))]
    let address = rows[0].numbers.withUnsafeBufferPointer { $0.baseAddress }
    rows[id: 1]?.numbers[0] = 7
    rows[0].numbers[1] = 8
    expectEqual(rows[0].numbers.withUnsafeBufferPointer { $0.baseAddress }, address)
    expectEqual(rows[0].numbers[0...1], [7, 8])
  }

  @Test("Arrays are made of elements with unique IDs, unchecked ones, and with an ID's key path")
  func initializers() throws {
    let elements = [Todo(id: 1), Todo(id: 2)]
    let list: Todos = [Todo(id: 1), Todo(id: 2)]
    expectEqual(Todos(uniqueElements: elements), list)
    expectEqual(Todos(uniqueElements: list), list)
    expectEqual(Todos(uniqueElements: list[...]), list)
    expectEqual(Todos(uncheckedUniqueElements: elements), list)
    expectEqual(Todos(list), list)
    expectEqual(Todos(list[1...]), [Todo(id: 2)])
    expectEqual(Todos(uniqueElements: elements, id: \.id), list)
    expectEqual(Todos(uncheckedUniqueElements: elements, id: \.id), list)
    expectTrue(Todos().isEmpty)
    expectTrue(Todos(id: \.id).isEmpty)
    var words = IdentifiedArray(id: \String.self)
    words.append("b")
    words.append("a")
    expectEqual(words.elements, ["b", "a"])
    expectEqual(words[id: "a"], "a")
    expectEqual(words.id, \String.self)
  }

  @Test("A key path is respected, also for the elements of an identified array")
  func keyPaths() {
    let list = todos(1, 2, 3)
    let byTitle: IdentifiedArray<String, Todo> = .init(uniqueElements: list, id: \.title)
    expectEqual(byTitle.index(id: "t2"), 1)
    struct Pair: Identifiable, Hashable {
      let id: Int
      var other: Int
    }
    let pairs = [Pair(id: 1, other: 20), Pair(id: 2, other: 10)]
    let byID = IdentifiedArrayOf<Pair>(uniqueElements: pairs)
    let byOther = IdentifiedArray(uniqueElements: byID, id: \.other)
    expectEqual(byOther.id, \Pair.other)
    expectEqual(byOther[id: 20], pairs[0])
    expectNil(byOther[id: 1])
    expectEqual(IdentifiedArray(byID, id: \.other)[id: 10], pairs[1])
    expectEqual(IdentifiedArray(uncheckedUniqueElements: byID, id: \.other)[id: 10], pairs[1])
    let back = IdentifiedArrayOf<Pair>(uniqueElements: byOther)
    expectEqual(back[id: 1], pairs[0])
    expectEqual(back.ids, [1, 2])
    let slice = IdentifiedArray(uniqueElements: byID[1...], id: \.other)
    expectEqual(slice.ids, [10])
  }

  @Test("Arrays are equal by their elements in order, whatever their key paths")
  func equality() {
    struct Pair: Hashable {
      var first: Int
      var second: Int
    }
    for count in [2, 500] {
      let pairs = (0..<count).map { Pair(first: $0, second: count - $0) }
      let byFirst = IdentifiedArray(uniqueElements: pairs, id: \.first)
      let bySecond = IdentifiedArray(uniqueElements: pairs, id: \.second)
      expectEqual(byFirst, bySecond)
      expectEqual(byFirst.hashValue, bySecond.hashValue)
      expectEqual(Set([byFirst, bySecond]).count, 1)
      var other = bySecond
      other.swapAt(0, 1)
      expectTrue(byFirst != other)
      other.swapAt(0, 1)
      expectEqual(byFirst, other)
      other[count - 1].first = 7
      expectTrue(bySecond != other)
    }
  }

  @Test("init(_:id:) keeps the first of the elements with one ID, as init(_:) does")
  func firstOfEach() {
    let elements = [Todo(id: 1, title: "a"), Todo(id: 2, title: "b"), Todo(id: 1, title: "c")]
    expectEqual(IdentifiedArray(elements, id: \.id).map(\.title), ["a", "b"])
    expectEqual(Todos(elements).map(\.title), ["a", "b"])
    expectEqual(IdentifiedArray(elements, id: \.title).count, 3)
  }

  @Test("Of elements with one ID, a closure makes one")
  func uniquing() throws {
    let elements = [Todo(id: 1, title: "a"), Todo(id: 2, title: "b"), Todo(id: 1, title: "c")]
    let joined = Todos(elements) { Todo(id: $0.id, title: $0.title + $1.title) }
    expectEqual(joined.map(\.title), ["ac", "b"])
    let last = Todos(elements, id: \.id, uniquingIDsWith: { $1 })
    expectEqual(last.map(\.title), ["c", "b"])
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try Todos(elements) { _, _ in throw Refusal() } }
  }

  @Test("Elements are appended and inserted once")
  func insertions() {
    var list = todos(1, 2, 3)
    var result = list.append(Todo(id: 4, title: "t4"))
    #expect(result == (true, 3))
    result = list.append(Todo(id: 2, title: "x"))
    #expect(result == (false, 1))
    result = list.insert(Todo(id: 0, title: "t0"), at: 0)
    #expect(result == (true, 0))
    result = list.insert(Todo(id: 3), at: 0)
    #expect(result == (false, 3))
    list.append(contentsOf: [Todo(id: 1), Todo(id: 5, title: "t5")])
    expectEqual(list, todos(0, 1, 2, 3, 4, 5))
    expectEqual(list.updateOrAppend(Todo(id: 2, title: "x"))?.title, "t2")
    expectNil(list.updateOrAppend(Todo(id: 6)))
    let replaced = list.updateOrInsert(Todo(id: 3, title: "y"), at: 0)
    expectEqual(replaced.originalMember?.title, "t3")
    expectEqual(replaced.index, 3)
    let inserted = list.updateOrInsert(Todo(id: 7), at: 1)
    expectNil(inserted.originalMember)
    expectEqual(inserted.index, 1)
    expectEqual(list.update(Todo(id: 7, title: "z"), at: 1).title, "")
    expectEqual(list.map(\.title), ["t0", "z", "t1", "x", "y", "t4", "t5", ""])
  }

  @Test("Elements are removed by ID, position, range and predicate")
  func removals() {
    var list = todos(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    expectEqual(list.remove(id: 3)?.id, 3)
    expectNil(list.remove(id: 3))
    expectEqual(list.remove(Todo(id: 4))?.title, "t4")
    expectEqual(list.remove(at: 0).id, 0)
    expectEqual(list.removeFirst().id, 1)
    expectEqual(list.removeLast().id, 9)
    expectEqual(list.popLast()?.id, 8)
    expectEqual(list.ids, [2, 5, 6, 7])
    list.removeAll { $0.id == 6 }
    list.removeSubrange(1...1)
    expectEqual(list.ids, [2, 7])
    list.removeFirst(1)
    list.removeLast(1)
    expectTrue(list.isEmpty)
    expectNil(list.popLast())
    list = todos(1, 2)
    list.removeAll()
    list.removeAll(keepingCapacity: true)
    list.reserveCapacity(10)
    expectEqual(list, [])
    list = Todos(uniqueElements: (0..<100).map { Todo(id: $0) })
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try list.removeAll { if $0.id == 50 { throw Refusal() } else { return true } }
    }
    expectEqual(list.count, 100)
    list.removeAll { $0.id % 2 == 0 }
    expectEqual(list.map(\.id), Array(stride(from: 1, to: 100, by: 2)))
  }

  @Test("Assigning by position replaces, and swaps with an element that is elsewhere")
  func byPosition() {
    var list = todos(1, 2, 3)
    list[1] = Todo(id: 2, title: "x")
    list[0].title = "y"
    expectEqual(list.map(\.title), ["y", "x", "t3"])
    list[0] = list[2]
    expectEqual(list.ids, [3, 2, 1])
    list[1] = Todo(id: 9)
    expectEqual(list.ids, [3, 9, 1])
    let first = list[0]
    list[0] = list[2]
    list[2] = first
    expectEqual(list.ids, [1, 9, 3])
  }

  @Test("Order is changed by moves, swaps, sorting, partitioning, reversing and shuffling")
  func reordering() {
    var list = todos(3, 1, 2)
    list.move(from: 0, to: 2)
    expectEqual(list.ids, [1, 2, 3])
    list.swapAt(0, 2)
    expectEqual(list.ids, [3, 2, 1])
    list.sort()
    expectEqual(list.ids, [1, 2, 3])
    list.sort { $0.id > $1.id }
    expectEqual(list.ids, [3, 2, 1])
    list.reverse()
    expectEqual(list.ids, [1, 2, 3])
    expectEqual(list.partition { $0.id == 1 }, 2)
    expectEqual(list.ids, [3, 2, 1])
    list.shuffle()
    expectEqual(Set(list.ids), [1, 2, 3])
    var random = SplitMix(seed: 7)
    var again = SplitMix(seed: 7)
    var array = list.elements
    list.shuffle(using: &random)
    array.shuffle(using: &again)
    expectEqual(list.elements, array)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try list.sort { _, _ in throw Refusal() } }
    expectEqual(list.elements, array)
  }

  @Test("Sorting a copy gives an identified array, or an array where one is asked for")
  func sortedCopies() throws {
    let list = todos(3, 1, 2)
    let sorted: Todos = list.sorted()
    expectEqual(sorted.ids, [1, 2, 3])
    expectEqual(list.sorted { $0.id > $1.id }[id: 3]?.title, "t3")
    expectEqual(list.sorted { $0.id > $1.id }.ids, [3, 2, 1])
    expectEqual(list.ids, [3, 1, 2])
    let array: [Todo] = list.sorted()
    expectEqual(array.map(\.id), [1, 2, 3])
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { let _: Todos = try list.sorted { _, _ in throw Refusal() } }
  }

  @Test("Ranges are replaced; an element that is elsewhere is replaced there")
  func replacingRanges() {
    var list = todos(1, 2, 3, 4)
    list.replaceSubrange(1..<3, with: [Todo(id: 5), Todo(id: 4, title: "x"), Todo(id: 2)])
    expectEqual(list.ids, [1, 5, 2, 4])
    expectEqual(list[3].title, "x")
    list.replaceSubrange(0..<4, with: [])
    expectTrue(list.isEmpty)
    expectEqual(todos(1) + [Todo(id: 2, title: "t2")], todos(1, 2))
  }

  @Test("filter gives an identified array; a slice is one's slice")
  func parts() {
    let list = todos(1, 2, 3, 4)
    let even: Todos = list.filter { $0.id % 2 == 0 }
    expectEqual(even.ids, [2, 4])
    expectEqual(list[1...2].map(\.id), [2, 3])
    expectEqual(list.map(\.id), [1, 2, 3, 4])
    expectEqual(list.compactMap { $0.id > 2 ? $0.title : nil }, ["t3", "t4"])
    expectEqual(list.first?.id, 1)
    expectEqual(list.last?.id, 4)
    expectEqual(list.reversed().map(\.id), [4, 3, 2, 1])
    var seen: [Int] = []
    func see(_ todo: Todo) { seen.append(todo.id) }
    list.forEach(see)
    expectEqual(seen, [1, 2, 3, 4])
  }

  @Test("IDs are an ordered collection with a set's look-up, comparable with a literal")
  func ids() {
    let list = todos(3, 1, 2)
    expectEqual(list.ids, [3, 1, 2])
    expectTrue(list.ids != [1, 2, 3])
    expectTrue(list.ids.contains(1))
    expectFalse(list.ids.contains(7))
    expectEqual(list.ids.firstIndex(of: 2), 2)
    expectEqual(list.ids.lastIndex(of: 3), 0)
    expectEqual(list.ids[1], 1)
    expectEqual(list.ids.elements, [3, 1, 2])
    expectEqual(Set([list.ids, [3, 1, 2]]).count, 1)
    expectEqual(list.ids.description, "[3, 1, 2]")
    let literal: OrderedIDs<Int> = [1, 2, 1]
    expectEqual(literal.count, 2)
    expectEqual(literal[1], 2)
    expectTrue(literal.contains(2))
    expectEqual(literal.firstIndex(of: 2), 1)
  }

  @Test("An ID need be neither Sendable nor of a known type")
  func anyID() {
    struct Row {
      let token: Token
      var text: String
    }
    var rows = IdentifiedArray(id: \Row.token)
    for name in 0..<200 { rows.append(Row(token: Token("\(name)"), text: "x")) }
    rows[id: Token("77")]?.text = "y"
    expectEqual(rows.index(id: Token("77")), 77)
    expectEqual(rows[77].text, "y")
    #expect(rows.append(Row(token: Token("3"), text: "")) == (false, 3))
  }

  @Test("A value gets an ID that it has not")
  func values() {
    var named = Identified("text", id: 7)
    named.value += "!"
    expectEqual(named.id, 7)
    expectEqual(Identified("ab", id: \.count), Identified("ab", id: 2))
    expectEqual(Identified("ab") { $0.count }.id, 2)
    expectEqual(named.count, 5)
    var entry = Identified(Todo(id: 3, title: "x"), id: "key")
    entry.title = "y"
    expectEqual(entry.value, Todo(id: 3, title: "y"))
    expectEqual(entry.value.id, 3)
    expectEqual(entry.debugDescription, "3y")
  }
}
