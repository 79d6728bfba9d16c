import EntiaDatabase
import EntiaStore
import Foundation

/// Counts from any thread.
///
/// Sendable although its number is a `var`: every access goes through the lock.
final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int { lock.withLock { number } }
  func add() { lock.withLock { number += 1 } }
}

struct Item: EntityType, Identifiable {
  /// Counts the comparisons of the test that binds it.
  @TaskLocal static var comparisons: Tally?

  let id: Int
  var name = ""
  var price = 0

  static func == (a: Item, b: Item) -> Bool {
    comparisons?.add()
    return a.id == b.id && a.name == b.name && a.price == b.price
  }
}

struct Basket: EntityType, Identifiable {
  let id: Int
  var label = ""
}

/// A database for tests of a store.
struct Shop: NormalizedStorageType {
  struct Contents: StorageContents {
    var items = Tables.Hash<Item>()
    var baskets = Tables.Ordered<Basket>()
    var byPrice = Indexes.Sorted<Item, Int>(\.price)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("items", \.items)
      visitor.table("baskets", \.baskets)
      visitor.index("byPrice", \.byPrice)
    }
  }

  var snapshot = Snapshot(Contents())
  var items: Tables.Hash<Item> { snapshot.contents.items }
  var baskets: Tables.Ordered<Basket> { snapshot.contents.baskets }
}

struct ShopState: StateType {
  var shop = Shop()
  var other = Shop()
  var searchText = ""

  init() {}

  init(items: some Sequence<Item>) {
    shop.performBatchUpdates { $0.modifying.items.insert(Array(items)) }
  }
}

extension Store where State == ShopState {
  func put(_ items: Item...) {
    commit { state in state.shop.performBatchUpdates { $0.modifying.items.insert(items) } }
  }

  /// Removes an item and inserts it again, which makes it the last one.
  func replace(_ id: Int) {
    commit { state in
      state.shop.performBatchUpdates {
        if let item = $0.modifying.items.remove(Item.EntityID(id)) {
          $0.modifying.items.insert(item)
        }
      }
    }
  }

  func drop(_ id: Int) {
    commit { state in
      state.shop.performBatchUpdates { _ = $0.modifying.items.remove(Item.EntityID(id)) }
    }
  }
}
