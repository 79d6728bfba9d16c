import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// Whole versions that are made outside of batches.
@Suite("Tables filled by hand are validated")
struct ValidatingTests {
  private func contents(_ customers: [Customer], _ orders: [Order] = []) -> Shop.Contents {
    var contents = Shop.Contents()
    contents.customers = Tables.Hash(customers)
    contents.orders = Tables.Hash(orders)
    return contents
  }

  @Test("Rows that obey the rules become a database, with relationships and indexes in step")
  func accepted() throws {
    let shop = try Shop(
      validating: contents(
        (1...3).map { Customer(id: $0, email: "\($0)") }, [Order(id: 1, customerID: 2)]))
    expectTrue(shop.customers.count == 3 && shop.verify() == [])
    expectEqual(shop.email.find(by: "2"), 2)
    var copy = Shop()
    copy.snapshot = shop.snapshot
    expectEqual(copy, shop)
  }

  @Test("Rows that break rules are refused, with every rule")
  func refused() throws {
    let error = #expect(throws: BatchError.self) {
      _ = try Shop(
        validating: contents(
          [Customer(id: 1, email: "a"), Customer(id: 2, email: "a")],
          [Order(id: 1, amount: 0, customerID: 7)]))
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: Order 1: orderCustomer requires Customer 7, which does not exist; \
      email: Customer 1 and Customer 2 have the same key a; Order 1: amount requires that the \
      amount is positive
      """)
  }

  @Test("A check of the database as a whole judges the rows")
  func wholeChecks() throws {
    var contents = SmallShop.Contents()
    contents.customers = Tables.Hash((1...3).map { Customer(id: $0, email: "") })
    #expect(throws: BatchError.self) { _ = try SmallShop(validating: contents) }
    contents.customers.remove(3)
    try expectEqual(SmallShop(validating: contents).customers.count, 2)
  }

  @Test("Rows that break a rule and were set past every batch are refused by the next batch")
  func unjudged() throws {
    var shop = Shop()
    shop.snapshot = Snapshot(
      contents([Customer(id: 1, email: "a"), Customer(id: 2, email: "a")]))
    let before = shop
    expectEqual(shop.verify().count, 1)
    let error = #expect(throws: BatchError.self) {
      try shop.performBatchUpdates { $0.modifying.orders.insert(Order(id: 1, customerID: 1)) }
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: email: Customer 1 and Customer 2 have the same key a
      """)
    expectTrue(shop == before && shop.orders.isEmpty)
    try shop.performBatchUpdates { context in
      context.modifying.customers.updateIfExists(id: 2) { $0.email = "b" }
    }
    try shop.performBatchUpdates { $0.modifying.orders.insert(Order(id: 1, customerID: 1)) }
    expectTrue(shop.verify() == [] && shop.orders.count == 1)
  }

  @Test("Pending changes that are kept as a database are validated by its next batch")
  func pending() throws {
    let shop = try Shop.sample()
    let batch = shop.beginBatchUpdates()
    var customers = batch.modifying.customers
    customers.insert(Customer(id: 3, email: "a"))
    var kept = batch.pending
    expectEqual(kept.customers.count, 3)
    #expect(throws: BatchError.self) {
      try kept.performBatchUpdates { $0.modifying.parcels.insert(Parcel(id: 1, orderID: 1)) }
    }
    try kept.performBatchUpdates { $0.modifying.customers.remove(3) }
    expectTrue(kept == shop && kept.verify() == [])
  }

  @Test("A change set on rows that break a rule is refused too")
  func applied() throws {
    let shop = try Shop.sample()
    var changed = shop
    try changed.performBatchUpdates { $0.modifying.orders.insert(Order(id: 2, customerID: 2)) }
    var broken = Shop()
    var rows = shop.snapshot.contents
    rows.customers.insert(Customer(id: 9, email: "a"))
    broken.snapshot = Snapshot(rows)
    let before = broken
    #expect(throws: BatchError.self) { try broken.apply(changed.changes(since: shop)) }
    expectEqual(broken, before)
  }
}

/// A storage with a check of itself as a whole.
private struct SmallShop: NormalizedStorageType {
  struct Contents: StorageContents {
    var customers = Tables.Hash<Customer>()
    var size = Checks.Batch<SmallShop>("there are at most two customers") {
      $0.after.customers.count <= 2
    }

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("customers", \.customers)
      visitor.check("size", \.size)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var customers: Tables.Hash<Customer> { snapshot.contents.customers }
}
