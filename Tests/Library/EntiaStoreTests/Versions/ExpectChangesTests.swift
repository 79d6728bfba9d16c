import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

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
