import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

/// A shop that keeps its stock at zero or more, and counts its batches.
private struct Shop: NormalizedStorageType {
  struct Item: EntityType, Identifiable {
    let id: String
    var stock: Int
  }

  struct Counter: EntityType, Identifiable {
    let id: Int
    var batches: Int
  }

  struct Contents: StorageContents {
    var items = Tables.Hash<Item>()
    var counters = Tables.Hash<Counter>([Counter(id: 0, batches: 0)])

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("items", \.items)
      visitor.table("counters", \.counters)
    }
  }

  struct OutOfStock: Error, Equatable {
    let ids: [String]
  }

  var snapshot = Snapshot(Contents())
  var items: Tables.Hash<Item> { snapshot.contents.items }
  var counters: Tables.Hash<Counter> { snapshot.contents.counters }

  func finalizeTransaction(_ context: inout BatchContext<Self>) throws(OutOfStock) {
    let changes = context.changes
    let written = changes.items.inserted + changes.items.updated.map(\.new)
    let short = written.filter { $0.stock < 0 }.map(\.id)
    guard short.isEmpty else { throw OutOfStock(ids: short) }
    context.modifying.counters.updateIfExists(id: 0) { $0.batches += 1 }
  }
}

@Suite("finalizeTransaction")
struct FinalizeTests {
  @Test("The hook sees the change set, may change more, and refuses with an error of its own")
  func hook() throws {
    var shop = Shop()
    try shop.performBatchUpdates { context in
      context.modifying.items.insert([Shop.Item(id: "nail", stock: 5), .init(id: "saw", stock: 1)])
    }
    expectEqual(shop.counters.find(by: 0)?.batches, 1)
    let before = shop
    #expect(throws: Shop.OutOfStock(ids: ["saw"])) {
      try shop.performBatchUpdates { context in
        context.modifying.items.updateIfExists(id: "saw") { $0.stock -= 2 }
        context.modifying.items.updateIfExists(id: "nail") { $0.stock -= 2 }
      }
    }
    expectEqual(shop, before)
    expectTrue(shop.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("A begun batch calls the hook too, and reports its changes")
  func begunBatch() throws {
    var shop = Shop()
    var refused = shop.beginBatchUpdates()
    refused.modifying.items.insert(Shop.Item(id: "saw", stock: -1))
    do {
      try shop.commitBatchUpdates(refused)
      Issue.record("the hook was not asked")
    } catch let error as Shop.OutOfStock {
      expectEqual(error.ids, ["saw"])
    }
    expectTrue(shop.items.isEmpty)
    var batch = shop.beginBatchUpdates()
    batch.modifying.items.insert(Shop.Item(id: "saw", stock: 1))
    let changes = try shop.commitBatchUpdates(batch).changes
    expectEqual(changes.items.inserted.map(\.id), ["saw"])
    expectEqual(changes.counters.updated.map(\.new.batches), [1])
    expectEqual(changes.summary, "Item: 1 inserted\nCounter: 1 updated")
  }

  @Test(
    "Law 3: applying a change set takes over nothing that the hook writes, but hears its refusal")
  func applied() throws {
    var shop = Shop()
    let empty = shop
    try shop.performBatchUpdates { $0.modifying.items.insert(Shop.Item(id: "saw", stock: 1)) }
    var other = empty
    try other.apply(shop.changes(since: empty))
    expectEqual(other, shop)
    try other.apply(shop.changes(since: empty).inverted)
    expectEqual(other, empty)
    var bad = Shop.ChangeSet()
    bad = shop.changes(since: empty).composed(with: bad)
    expectEqual(bad, shop.changes(since: empty))
  }

  @Test("A snapshot made from contents builds its relationships from the rows")
  func snapshotsRebuild() throws {
    var contents = Library.Contents()
    contents.authors.insert(Author(id: "a1", name: "Ann"))
    contents.books.insert(Book(rawID: "b1", title: "One", authorID: "a1"))
    var library = Library()
    library.snapshot = Snapshot(contents)
    expectEqual(library.verify(), [])
    expectEqual(
      library.view(of: Author.EntityID("a1"))?[inverse: \.bookAuthor].map(\.rawID), ["b1"])
  }

  @Test("A batch that changes nothing keeps the version")
  func nothingChanged() throws {
    var library = try Library.sample()
    let before = library
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a1", name: "Ann"))
      context.modifying.authors.updateIfExists(id: "a2") { $0.name = "Bob" }
      context.modifying.authors.remove("nobody")
    }
    expectTrue(library.snapshot.isIdentical(to: before.snapshot))
  }
}
