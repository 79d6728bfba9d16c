import Entia

@Entity
struct Product {
  let id: String
  var stock: Int
}

@Entity
struct Order {
  let id: Int
  let product: Product.EntityID
  let count: Int
}

@NormalizedStorage
struct Shop {
  @Table var products: Tables.Hash<Product> = .init()
  @Table var orders: Tables.Hash<Order> = .init()
  @Relationship var orderProduct: ToOne<Order, Product> = .init(\.product).required()
  @Check var stock: Checks.Entity<Product> = .init("the stock is not negative") { $0.stock >= 0 }
}
