import Entia
import EntiaTestSupport
import Testing

private struct Person: EntityType, Identifiable {
  let id: String
}

private struct Ware: EntityType, Identifiable {
  let id: Int
}

private enum Subject: Equatable {
  case person(Person.EntityID)
  case ware(Ware.EntityID)

  var personID: Person.EntityID? { if case .person(let id) = self { id } else { nil } }
  var wareID: Ware.EntityID? { if case .ware(let id) = self { id } else { nil } }
}

private struct Line: Equatable {
  let wareID: Ware.EntityID
  var amount = 1
}

private struct Order: EntityType, Identifiable {
  let id: Int
  let lines: [Line]
  var subject: Subject?
  var watcherIDs: Set<Person.EntityID> = []
  var shares: [Person.EntityID: Int] = [:]
  var helperIDs: [Person.EntityID]?
}

@NormalizedStorage
private struct Shop {
  @Table var people: Tables.Hash<Person> = .init()
  @Table var wares: Tables.Hash<Ware> = .init()
  @Table var orders: Tables.Hash<Order> = .init()
  @Relationship var orderWares: ToMany<Order, Ware> = .init(\.lines, id: \.wareID)
  @Relationship var orderPerson: ToOne<Order, Person> = .init(\.subject, id: \.personID)
  @Relationship var orderWare: ToOne<Order, Ware> = .init(
    \.subject, id: \.wareID, onDelete: .nullify)
  @Relationship var watchers: ToMany<Order, Person> = .init(\.watcherIDs, onDelete: .nullify)
  @Relationship var shares: ToMany<Order, Person> = .init(\.shares)
  @Relationship var helpers: ToMany<Order, Person> = .init(\.helperIDs, count: .atMost(2))
}

@Suite("Relationships of every kind, by the macro")
struct RelationshipKindsMacroTests {
  @Test("Each is declared in one line and read from both ends")
  func kinds() throws {
    var shop = Shop()
    try shop.performBatchUpdates { context in
      context.modifying.people.insert([Person(id: "p"), Person(id: "q")])
      context.modifying.wares.insert([Ware(id: 1), Ware(id: 2)])
      context.modifying.orders.insert(
        Order(
          id: 1, lines: [Line(wareID: 2), Line(wareID: 1)], subject: .ware(2),
          watcherIDs: ["q", "p"], shares: ["q": 3], helperIDs: ["p"]))
    }
    let order = try #require(shop.view(of: Order.EntityID(1)))
    expectEqual(order[\.orderWares].map(\.id), [2, 1])
    expectTrue(order[\.orderPerson] == nil && order[\.orderWare]?.id == 2)
    expectEqual(order[\.watchers].map(\.id), ["p", "q"])
    expectTrue(order[\.shares].map(\.id) == ["q"] && order[\.helpers].map(\.id) == ["p"])
    expectEqual(shop.view(of: Ware.EntityID(1))?[inverse: \.orderWares].map(\.id), [1])
    expectEqual(shop.plan(deleting: Ware.EntityID(2)).violations.count, 1)
    expectEqual(Shop.schema.relationships.map(\.name).count, 6)
  }
}
