import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Changes")
struct ChangesTests {
  struct Value: StateType {
    var a = 0
    var b = ""
    var c: Int?
    var d = 0.0
  }

  private let first = Changes(Value(a: 1))
  private let second = Changes(Value(a: 2, b: "x"), previous: Value(a: 1, b: "x"))

  private static func isAnything(_ first: Double, _ second: Double) -> Bool { true }

  @Test("Members of the value are read directly, and so are those of the one before")
  func members() {
    expectEqual(second.a, 2)
    expectEqual(second.previous?.a, 1)
    expectNil(second.previous?.previous)
    expectEqual(second.primitive, Value(a: 2, b: "x"))
    expectNil(first.previous)
    expectEqual(Changes("text").primitive, "text")
  }

  @Test("ifChanged calls its closure if the part changed, and returns the closure's result")
  func ifChanged() {
    expectEqual(second.ifChanged(\.a) { $0 * 10 }, 20)
    expectNil(second.ifChanged(\.b) { $0 })
    expectNil(second.ifChanged(\.c) { _ in true })
  }

  @Test("Without a previous value every ifChanged fires")
  func firstDelivery() {
    expectEqual(first.ifChanged(\.a) { $0 }, 1)
    expectEqual(first.ifChanged(\.b) { $0 }, "")
    expectEqual(first.ifChanged(\.a, \.b, \.c) { a, _, _ in a }, 1)
    expectEqual(first.ifChanged(\.d, by: Self.isAnything) { $0 }, 0)
    expectTrue(first.hasChanges(\.a))
    expectTrue(first.hasChanges)
  }

  @Test("Several key paths fire when at least one part changed")
  func several() {
    expectEqual(second.ifChanged(\.b, \.a) { b, a in "\(b)\(a)" }, "x2")
    expectNil(second.ifChanged(\.b, \.c) { _, _ in true })
    expectEqual(second.ifChanged(\.b, \.c, \.d, \.a) { _, _, _, a in a }, 2)
    expectTrue(second.hasChanges(\.a, \.b))
    expectFalse(second.hasChanges(\.b, \.c))
  }

  @Test("A custom comparison determines whether a part changed")
  func comparator() {
    let near = Changes(Value(d: 1.01), previous: Value(d: 1))
    let isNear: (Double, Double) -> Bool = { abs($0 - $1) < 0.1 }
    expectEqual(near.ifChanged(\.d) { $0 }, 1.01)
    expectNil(near.ifChanged(\.d, by: isNear) { $0 })
    expectEqual(second.ifChanged(\.b, by: !=) { $0 }, "x")
  }

  @Test("What the closure throws comes through")
  func throwing() {
    #expect(throws: Refused.self) {
      try second.ifChanged(\.a) { _ in throw Refused() }
    }
  }

  @Test("map looks at both values")
  func map() {
    let mapped = second.map { $0.a * 2 }
    expectEqual(mapped.primitive, 4)
    expectEqual(mapped.previous?.primitive, 2)
    expectTrue(mapped.hasChanges)
    expectFalse(second.map(\.b).hasChanges)
    expectEqual(first.map(\.a), Changes(1))
    expectTrue(mapped != Changes(4))
  }
}

@Suite("Expecting changes, and reading them")
struct ExpectChangesTests {
  private let store = Store<_, Never>(
    initialState: ShopState(items: [Item(id: 1, name: "one"), Item(id: 2)]))

  @Test("Work that changes the state as expected passes, and returns its result")
  func asExpected() async throws {
    let store = store
    let result = try store.expectChanges(
      { $0.searchText = "x" },
      when: {
        store.commit { $0.searchText = "x" }
        return 5
      })
    expectEqual(result, 5)
    try await store.expectChanges(
      { $0.searchText = "y" }, when: { try await store.backgroundCommit { $0.searchText = "y" } })
  }

  @Test("Unexpected changes are reported by part and by row")
  func otherwise() {
    let error = #expect(throws: UnexpectedState.self) {
      try store.expectChanges(
        { $0.searchText = "x" },
        when: {
          store.commit { $0.searchText = "z" }
          store.put(Item(id: 1, name: "uno"), Item(id: 3))
          store.drop(2)
        })
    }
    expectEqual(
      error?.description,
      """
      the state is not what was expected:
        shop: found, beside what was expected:
          + Item(id: 3, name: "", price: 0)
          ~ Item 1: name "one" -> "uno"
          - Item(id: 2, name: "", price: 0)
        searchText: found "z", expected "x"
      """)
  }

  @Test("A change set describes moves, and the absence of changes")
  func moves() {
    var shop = Shop()
    shop.performBatchUpdates { $0.modifying.baskets.insert((0..<3).map { Basket(id: $0) }) }
    let before = shop
    expectEqual(shop.changes(since: before).debugDescription, "no changes")
    shop.performBatchUpdates { _ = $0.modifying.baskets.move(Basket.EntityID(2), to: 0) }
    expectEqual(shop.changes(since: before).debugDescription, "> Basket 2")
  }
}
