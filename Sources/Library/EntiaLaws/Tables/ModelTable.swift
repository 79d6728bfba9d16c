import EntiaCollections
import EntiaDatabase

/// The model of a table: a plain dictionary and an order list that the table must equal.
struct ModelTable<Entity: EntityType> {
  private(set) var rows: [Entity.EntityID: Entity] = [:]
  private(set) var order: [Entity.EntityID] = []

  var entities: [Entity] { order.compactMap { rows[$0] } }

  func hasSameRows(as other: Self) -> Bool {
    rows.count == other.rows.count
      && rows.allSatisfy { id, row in haveSameValue(row, other.rows[id]) }
  }

  mutating func insert(_ entity: Entity) -> Entity? {
    let old = rows.updateValue(entity, forKey: entity.entityID)
    if old == nil { order.append(entity.entityID) }
    return old
  }

  mutating func remove(_ id: Entity.EntityID) -> Entity? {
    order.removeAll { $0 == id }
    return rows.removeValue(forKey: id)
  }
}

/// One step of a table's history. It is a value, so that it can be performed twice.
enum TableOperation<Entity: EntityType> {
  case insert(Entity)
  case update(Entity)
  case failingUpdate(Entity)
  case remove(Entity.EntityID)
  case removeAll

  struct Refusal: Error {}

  /// Performs the operation on a table and its model, and compares the results.
  func perform<Table: TableUnderTest>(
    on table: inout Table, and model: inout ModelTable<Entity>
  ) throws where Table.Entity == Entity {
    switch self {
    case .insert(let entity):
      let result = table.insert(entity)
      let old = model.insert(entity)
      try requireEqual(result.entity, entity, "the entity that an insert returns")
      switch result.outcome {
      case .inserted: try require(old == nil, "\(self): said inserted over \(old as Any)")
      case .replaced(let said): try requireEqual(said, old, "\(self): the replaced entity")
      case .unchanged: try requireEqual(old, entity, "\(self): said unchanged over")
      }
    case .update(let entity):
      let id = entity.entityID
      let expected = model.rows[id].map { _ in entity }
      if expected != nil { _ = model.insert(entity) }
      try requireEqual(table.updateIfExists(id: id) { $0 = entity }, expected, "\(self)")
    case .failingUpdate(let entity):
      let id = entity.entityID
      do {
        let result = try table.updateIfExists(id: id) {
          $0 = entity
          throw Refusal()
        }
        try require(result == nil && model.rows[id] == nil, "\(self): swallowed what was thrown")
      } catch is Refusal {}
    case .remove(let id):
      try requireEqual(table.remove(id), model.remove(id), "\(self): the removed entity")
    case .removeAll:
      table.removeAll()
      model = ModelTable()
    }
  }
}

extension TableUnderTest {
  /// Compares the reads of the table with its model, regardless of order.
  func requireEqualToModel(
    _ model: ModelTable<Entity>, domain: [Entity.EntityID]
  ) throws {
    try requireEqual(count, model.order.count, "count")
    try requireEqual(isEmpty, model.order.isEmpty, "isEmpty")
    for id in domain {
      try requireEqual(find(by: id), model.rows[id], "find(by: \(id))")
      try requireEqual(contains(id), model.rows[id] != nil, "contains(\(id))")
    }
    try requireEqual(Set(allIDs()), Set(model.order), "allIDs(), as a set")
  }

  /// Compares the table's order with that of its model.
  func requireOrder(of model: ModelTable<Entity>) throws {
    try requireEqual(allIDs(), model.order, "allIDs()")
    try requireEqual(allEntities(), model.entities, "allEntities()")
  }
}
