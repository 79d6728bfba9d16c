package import EntiaDatabase

package struct Customer: EntityType, Identifiable, Codable {
  package let id: Int
  package var email: String
  package var phone: String?
  package var name: String

  package init(id: Int, email: String, phone: String? = nil, name: String = "") {
    self.id = id
    self.email = email
    self.phone = phone
    self.name = name
  }
}

package struct Order: EntityType, Identifiable, Codable {
  package let id: Int
  package var amount: Int
  package var customerID: Customer.EntityID
  package var giftForIDs: [Customer.EntityID]

  package init(
    id: Int, amount: Int = 1, customerID: Customer.EntityID, giftForIDs: [Customer.EntityID] = []
  ) {
    self.id = id
    self.amount = amount
    self.customerID = customerID
    self.giftForIDs = giftForIDs
  }
}

package struct Parcel: EntityType, Identifiable, Codable {
  package let id: Int
  package var orderID: Order.EntityID

  package init(id: Int, orderID: Order.EntityID) {
    self.id = id
    self.orderID = orderID
  }
}

/// A shop: constraints of every kind.
package struct Shop: NormalizedStorageType, Codable {
  package struct Contents: StorageContents {
    package var customers = Tables.Hash<Customer>()
    package var orders = Tables.Hash<Order>()
    package var parcels = Tables.Hash<Parcel>()
    package var parcelOrder = ToOne<Parcel, Order>(\.orderID)
    package var email = Indexes.Unique<Customer, String>(\.email)
    package var phone = Indexes.Unique<Customer, String>(\.phone)
    package var orderCustomer = ToOne<Order, Customer>(\.customerID, onDelete: .keepDangling)
      .required()
    package var gifts = ToMany<Order, Customer>(\.giftForIDs, onDelete: .nullify).required()
    package var amount = Checks.Entity<Order>("the amount is positive") { $0.amount > 0 }
    package var growth = Checks.Batch<Shop>("at most two customers come at once") {
      $0.after.customers.count - $0.before.customers.count <= 2
    }

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
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

  package typealias Refusal = any Error

  package var snapshot = Snapshot(Contents())
  package var customers: Tables.Hash<Customer> { snapshot.contents.customers }
  package var orders: Tables.Hash<Order> { snapshot.contents.orders }
  package var email: Indexes.Unique<Customer, String> { snapshot.contents.email }

  package init() {}

  /// Two customers, and an order of the first that is a gift for the second.
  package static func sample() throws -> Shop {
    var shop = Shop()
    try shop.performBatchUpdates { context in
      context.modifying.customers.insert([
        Customer(id: 1, email: "a", phone: "1"), Customer(id: 2, email: "b"),
      ])
      context.modifying.orders.insert(Order(id: 1, customerID: 1, giftForIDs: [2]))
    }
    return shop
  }
}
