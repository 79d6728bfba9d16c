import Entia

/// What the routes of a server call, from any thread.
struct OrderService: Sendable {
  /// A state that is one database needs no other struct. A server has no undo.
  private let store: Store<Shop, Never>

  init(products: [Product]) throws {
    var shop = Shop()
    try shop.performBatchUpdates { $0.modifying.products.insert(products) }
    store = Store(initialState: shop, undoDepth: 0)
  }

  /// Places an order.
  /// - Throws: `BatchError` with the reasons, when a rule of the shop refuses it; then nothing has
  ///   changed.
  func place(_ order: Order) throws {
    try store.batch("Order \(order.id)") { tables in
      tables.products[order.product]?.stock -= order.count
      tables.orders.insert(order)
    }
  }

  /// The shop of this moment: a value, which later orders do not change. Reading it never waits.
  var shop: Shop { store.state }
}
