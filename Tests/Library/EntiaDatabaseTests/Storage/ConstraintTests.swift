import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Constraints")
struct ConstraintTests {
  /// Runs a batch that must be refused, and returns the error's text.
  func refusal(
    of shop: Shop, _ body: (inout BatchContext<Shop>) throws -> Void
  ) throws -> String {
    var copy = shop
    let error = #expect(throws: BatchError.self) { try copy.performBatchUpdates(body) }
    expectTrue(copy.snapshot.isIdentical(to: shop.snapshot))
    expectEqual(copy.verify(), shop.verify())
    return error?.description ?? ""
  }

  @Test("Law 16: a unique violation lists the index, both entities and the key")
  func unique() throws {
    let shop = try Shop.sample()
    let text = try refusal(of: shop) { context in
      context.modifying.customers.updateIfExists(id: 2) { $0.email = "a" }
    }
    expectEqual(text, "the batch was refused: email: Customer 1 and Customer 2 have the same key a")
    expectTrue(shop.email.find(by: "a") == 1 && shop.email.find(by: "b") == 2)
  }

  @Test("Law 16: states in between may break a unique key; two entities exchange theirs")
  func exchange() throws {
    var shop = try Shop.sample()
    try shop.performBatchUpdates { context in
      context.modifying.customers.updateIfExists(id: 1) { $0.email = "b" }
      expectEqual(context.modifying.email.ids(for: "b"), [2, 1])
      context.modifying.customers.updateIfExists(id: 2) { $0.email = "a" }
    }
    expectTrue(shop.email.find(by: "a") == 2 && shop.email.find(by: "b") == 1)
    expectEqual(shop.verify(), [])
  }

  @Test("All violations are reported together, in the order of declaration")
  func together() throws {
    var shop = try Shop.sample()
    let error = #expect(throws: BatchError.self) {
      try shop.performBatchUpdates { context in
        context.modifying.customers.insert([
          Customer(id: 3, email: "a", phone: "1"), Customer(id: 4, email: "a"),
          Customer(id: 5, email: "x"),
        ])
        context.modifying.orders.insert(
          Order(id: 2, amount: 0, customerID: 9, giftForIDs: [8, 1, 8]))
      }
    }
    guard case .refused(let violations) = try #require(error) else { return expectTrue(false) }
    expectEqual(
      violations.map(\.description),
      [
        "email: Customer 1 and Customer 3 and Customer 4 have the same key a",
        "phone: Customer 1 and Customer 3 have the same key 1",
        "Order 2: orderCustomer requires Customer 9, which does not exist",
        "Order 2: gifts requires Customer 8, which does not exist",
        "Order 2: amount requires that the amount is positive",
        "growth requires that at most two customers come at once",
      ])
  }

  @Test("The text of an error names the first five violations; the error lists all")
  func manyViolations() throws {
    let orders = (10..<1000).map { Order(id: $0, amount: 0, customerID: 1) }
    let text = try refusal(of: .sample()) { $0.modifying.orders.insert(orders) }
    let named = (10..<15).map { "Order \($0): amount requires that the amount is positive" }
    expectEqual(
      text, "the batch was refused: \(named.joined(separator: "; ")); and 985 more")
    let customers = (10..<110).map { Customer(id: $0, email: "x") }
    let other = try refusal(of: .sample()) { $0.modifying.customers.insert(customers) }
    expectTrue(
      other.hasPrefix(
        """
        the batch was refused: email: Customer 10 and Customer 11 and Customer 12 and Customer 13 \
        and Customer 14 and 95 more have the same key x
        """))
  }

  @Test("Denied removals and broken constraints are reported together")
  func denials() throws {
    var shop = try Shop.sample()
    try shop.performBatchUpdates { $0.modifying.parcels.insert(Parcel(id: 1, orderID: 1)) }
    let text = try refusal(of: shop) { context in
      context.modifying.orders.remove(1)
      context.modifying.customers.updateIfExists(id: 2) { $0.email = "a" }
    }
    expectEqual(
      text,
      """
      the batch was refused: Order 1 cannot be removed: it is referenced through parcelOrder by \
      Parcel 1; \
      email: Customer 1 and Customer 2 have the same key a
      """)
  }

  @Test("A plan of a removal lists the constraints that would refuse it")
  func plan() throws {
    let shop = try Shop.sample()
    let plan = shop.plan(deleting: Customer.EntityID(1))
    expectFalse(plan.isAllowed)
    expectEqual(
      plan.violations.map(\.description),
      [
        "Order 1: orderCustomer requires Customer 1, which does not exist"
      ])
  }

  @Test("A row that drops a removed target and takes it again is refused if the target is required")
  func requiredAgain() throws {
    var loans = Loans()
    try loans.performBatchUpdates { context in
      context.modifying.readers.insert(Loans.Reader(id: 1))
      context.modifying.loans.insert(Loans.Loan(id: 1, readerID: 1))
    }
    let edits: [(inout BatchContext<Loans>) -> Void] = [
      { context in
        context.modifying.readers.remove(1)
        if let loan = context.modifying.loans.remove(1) { context.modifying.loans.insert(loan) }
      },
      { context in
        context.modifying.readers.remove(1)
        context.modifying.loans[1]?.readerID = nil
        context.modifying.loans[1]?.readerID = 1
      },
    ]
    for edit in edits {
      var copy = loans
      let error = #expect(throws: BatchError.self) { try copy.performBatchUpdates { edit(&$0) } }
      expectEqual(
        error?.description,
        "the batch was refused: Loan 1: loanReader requires Reader 1, which does not exist")
      expectEqual(copy, loans)
    }
    let denied = #expect(throws: BatchError.self) {
      try loans.performBatchUpdates { _ = $0.modifying.readers.remove(1) }
    }
    expectEqual(
      denied?.description,
      "the batch was refused: Reader 1 cannot be removed: it is referenced through loanReader by "
        + "Loan 1")
  }

  @Test("A required reference refuses the removal of its target, unless the batch replaces it")
  func required() throws {
    var shop = try Shop.sample()
    let text = try refusal(of: shop) { $0.modifying.customers.remove(1) }
    expectEqual(
      text,
      "the batch was refused: Order 1: orderCustomer requires Customer 1, which does not "
        + "exist")
    try shop.performBatchUpdates { context in
      context.modifying.customers.remove(1)
      context.modifying.orders.updateIfExists(id: 1) { $0.customerID = 2 }
    }
    try shop.performBatchUpdates { context in
      context.modifying.orders.insert(Order(id: 2, customerID: 7))
      context.modifying.customers.insert(Customer(id: 7, email: "z"))
    }
    expectEqual(shop.verify(), [])
  }

  @Test("Checks run for changed rows only, and only for batches that change something")
  func changedRowsOnly() throws {
    let data = Data(
      #"""
      {"customers": [{"id": 1, "email": "a", "name": ""}, {"id": 2, "email": "a", "name": ""}],
       "orders": [{"id": 1, "amount": -1, "customerID": 1, "giftForIDs": []}]}
      """#.utf8)
    struct Rows: Decodable {
      let customers: Tables.Hash<Customer>
      let orders: Tables.Hash<Order>
    }
    // As a file was read before rules were judged at decoding.
    let rows = try JSONDecoder().decode(Rows.self, from: data)
    var shop = Shop()
    var contents = shop.snapshot.contents
    contents.customers = rows.customers
    contents.orders = rows.orders
    shop.snapshot = Snapshot(rebuilding: contents)
    expectEqual(
      shop.verify().map(\.description),
      [
        "email: Customer 1 and Customer 2 have the same key a",
        "Order 1: amount requires that the amount is positive",
      ])
    try shop.performBatchUpdates { $0.modifying.customers.insert(Customer(id: 3, email: "c")) }
    let text = try refusal(of: shop) { context in
      context.modifying.orders.updateIfExists(id: 1) { $0.amount = -2 }
      context.modifying.customers.updateIfExists(id: 2) { $0.name = "x" }
    }
    expectTrue(text.contains("Order 1: amount") && text.contains("Customer 1 and Customer 2"))
    try shop.performBatchUpdates { context in
      context.modifying.orders.updateIfExists(id: 1) { $0.amount = 2 }
      context.modifying.customers.updateIfExists(id: 2) { $0.email = "b" }
    }
    expectEqual(shop.verify(), [])
  }

  @Test("A change set that breaks a constraint elsewhere is refused")
  func applying() throws {
    let base = try Shop.sample()
    var (one, other) = (base, base)
    try one.performBatchUpdates { $0.modifying.customers.insert(Customer(id: 3, email: "c")) }
    try other.performBatchUpdates { $0.modifying.customers.insert(Customer(id: 4, email: "c")) }
    let before = other
    let error = #expect(throws: BatchError.self) { try other.apply(one.changes(since: base)) }
    expectEqual(
      error?.description,
      "the batch was refused: email: Customer 4 and Customer 3 have the same key c")
    expectTrue(other.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("onConflict: replace, keep and merge report their outcomes")
  func policies() throws {
    var shop = try Shop.sample()
    let new = Customer(id: 3, email: "b", name: "new")
    let old = try #require(shop.customers.find(by: 2))
    try shop.performBatchUpdates { context in
      expectEqual(context.modifying.customers.insert(new, onConflict: .keep), .kept([old]))
      let merged = context.modifying.customers.insert(
        new, onConflict: .merge { $0.name = $1.name })
      expectEqual(merged.entity, Customer(id: 2, email: "b", name: "new"))
      guard case .merged(let result) = merged else { throw BatchError.aborted }
      expectTrue(result.replaced == old && context.modifying.customers.count == 2)
      let replaced = context.modifying.customers.insert(new, onConflict: .replace)
      guard case .replaced(let inserted, let removed) = replaced else { throw BatchError.aborted }
      expectTrue(inserted.entity == new && removed.map(\.id) == [2])
      expectEqual(context.modifying.orders.find(by: 1)?.giftForIDs, [])
      let free = Customer(id: 4, email: "d")
      let plain = context.modifying.customers.insert([free, free], onConflict: .keep)
      expectEqual(plain.map(\.entity), [free, free])
    }
    expectTrue(shop.email.find(by: "b") == 3 && shop.verify() == [])
  }

  @Test("The ID of a merged entity decides which of both stays")
  func mergedIDs() throws {
    let shop = try Shop.sample()
    let both = Customer(id: 3, email: "b", phone: "7")
    let old = try #require(shop.customers.find(by: 2))
    var filled = both
    filled.name = old.name
    let policies: [(MergePolicy<Customer>, Customer)] = [
      (.keeping(\.name), filled), (.newer(by: \.email), both), (.keep, old),
      (.newer(by: \.name.count, merging: .keep), old),
    ]
    for (policy, expected) in policies {
      var shop = shop
      try shop.performBatchUpdates { context in
        expectEqual(context.modifying.customers.insert(both, onConflict: policy).entity, expected)
      }
      expectTrue(Array(shop.customers).filter { $0.id != 1 } == [expected] && shop.verify() == [])
    }
    var other = shop
    try other.performBatchUpdates { context in
      let result = context.modifying.customers.insert(
        both, onConflict: .merge { _, _ in Customer(id: 4, email: "b") })
      expectEqual(result, .kept([old]))
      expectEqual(
        context.problems.map(\.description),
        [
          "an update of Customer 2 changed its ID to 4; the row was left unchanged"
        ])
    }
    expectEqual(other, shop)
  }

  @Test("A merged entity may have the key of a third one")
  func unfinishedMerges() throws {
    let shop = try Shop.sample()
    let both = Customer(id: 3, email: "b", phone: "1")
    let text = try refusal(of: shop) { context in
      context.modifying.customers.insert(both, onConflict: .merge { $0.phone = $1.phone })
    }
    expectTrue(text.contains("phone: Customer 1 and Customer 2 have the same key 1"))
  }
}

private struct Loans: NormalizedStorageType {
  struct Reader: EntityType, Identifiable {
    let id: Int
  }

  struct Loan: EntityType, Identifiable {
    let id: Int
    var readerID: Reader.EntityID?
  }

  struct Contents: StorageContents {
    var readers = Tables.Hash<Reader>()
    var loans = Tables.Hash<Loan>()
    var loanReader = ToOne<Loan, Reader>(\.readerID, onDelete: .deny).required()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("readers", \.readers)
      visitor.table("loans", \.loans)
      visitor.relationship("loanReader", \.loanReader)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}
