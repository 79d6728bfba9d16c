import EntiaCollections
import EntiaDatabase

/// The ID of an entity of any type.
struct RowKey: Hashable, CustomStringConvertible {
  let entity: ObjectIdentifier
  let id: AnyHashable
  let label: EntityLabel

  init<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    entity = ObjectIdentifier(Entity.self)
    self.id = AnyHashable(id)
    label = EntityLabel(id)
  }

  static func == (a: Self, b: Self) -> Bool { a.entity == b.entity && a.id == b.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(id)
  }

  var description: String { label.description }
}

/// An entity of any type.
struct AnyRow: Equatable, CustomStringConvertible {
  let key: RowKey
  let entity: any EntityType

  init<Entity: EntityType>(_ entity: Entity) {
    key = RowKey(entity.entityID)
    self.entity = entity
  }

  static func == (a: Self, b: Self) -> Bool { isEqual(a.entity, b.entity) }

  private static func isEqual<Entity: EntityType>(_ a: Entity, _ b: any EntityType) -> Bool {
    (b as? Entity).map { haveSameValue($0, a) } ?? false
  }

  var description: String { "\(key)" }
}
