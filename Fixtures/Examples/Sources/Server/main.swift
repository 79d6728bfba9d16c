import Entia

let names = ["book", "lamp", "pen"]
let service = try OrderService(products: names.map { Product(id: $0, stock: 100) })

/// Whether the stock and the orders of each product add up.
@Sendable func isConsistent(_ shop: Shop) -> Bool {
  shop.products.allSatisfy { product in
    let orders = shop.view(of: product.entityID)?[inverse: \.orderProduct]
    return product.stock + (orders?.reduce(0) { $0 + $1.count } ?? 0) == 100
  }
}

/// Places 60 orders of one piece each.
/// - Returns: The number of orders that were accepted.
@Sendable func order(asClient client: Int) -> Int {
  (0..<60).count { number in
    let product = Product.EntityID(names[number % names.count])
    do {
      try service.place(Order(id: client * 60 + number, product: product, count: 1))
      return true
    } catch {
      return false
    }
  }
}

// A reader sees whole orders only, and never waits.
let reader = Task.detached {
  while !Task.isCancelled {
    precondition(isConsistent(service.shop), "a reader sees a part of an order")
    await Task.yield()
  }
}

// Eight clients order 480 pieces of 300.
let accepted = await withTaskGroup(of: Int.self) { group in
  for client in 0..<8 { group.addTask { order(asClient: client) } }
  var accepted = 0
  for await count in group { accepted += count }
  return accepted
}
reader.cancel()
await reader.value
print("\(accepted) of 480 orders were accepted")

do {
  try service.place(Order(id: 480, product: "lamp", count: 1))
} catch {
  print(error)
}
do {
  try service.place(Order(id: 481, product: "sofa", count: 1))
} catch {
  print(error)
}
print(service.shop.products.map { "\($0.id): \($0.stock)" }, service.shop.orders.count)
