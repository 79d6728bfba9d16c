import EntiaDatabase

struct Customer: EntityType, Identifiable, Codable {
  let id: Int
  var email: String
  var phone: String?
  var name = ""
}

struct Order: EntityType, Identifiable, Codable {
  let id: Int
  var amount = 1
  var customerID: Customer.EntityID
  var giftForIDs: [Customer.EntityID] = []
}

struct Parcel: EntityType, Identifiable, Codable {
  let id: Int
  var orderID: Order.EntityID
}

/// A storage with constraints of every kind, written by hand.
struct Market: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var customers = Tables.Hash<Customer>()
    var orders = Tables.Hash<Order>()
    var parcels = Tables.Hash<Parcel>()
    var parcelOrder = ToOne<Parcel, Order>(\.orderID)
    var email = Indexes.Unique<Customer, String>(\.email)
    var phone = Indexes.Unique<Customer, String>(\.phone)
    var orderCustomer = ToOne<Order, Customer>(\.customerID, onDelete: .keepDangling).required()
    var gifts = ToMany<Order, Customer>(\.giftForIDs, onDelete: .nullify).required()
    var amount = Checks.Entity<Order>("the amount is positive") { $0.amount > 0 }
    var growth = Checks.Batch<Market>("at most two customers come at once") {
      $0.after.customers.count - $0.before.customers.count <= 2
    }

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("customers", \.customers)
      visitor.table("orders", \.orders)
      visitor.table("parcels", \.parcels)
      visitor.relationship("parcelOrder", \.parcelOrder)
      visitor.index("email", \.email)
      visitor.index("phone", \.phone)
      visitor.relationship("orderCustomer", \.orderCustomer)
      visitor.relationship("gifts", \.gifts)
      visitor.check("amount", \.amount)
      visitor.check("growth", \.growth)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var customers: Tables.Hash<Customer> { snapshot.contents.customers }
  var orders: Tables.Hash<Order> { snapshot.contents.orders }
  var email: Indexes.Unique<Customer, String> { snapshot.contents.email }

  static func sample() throws -> Market {
    var market = Market()
    try market.performBatchUpdates { context in
      context.modifying.customers.insert([
        Customer(id: 1, email: "a", phone: "1"), Customer(id: 2, email: "b"),
      ])
      context.modifying.orders.insert(Order(id: 1, customerID: 1, giftForIDs: [2]))
    }
    return market
  }
}
