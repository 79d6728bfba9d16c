/// Who read which row of one entity type, or asked who names it.
final class ReadingLists<Entity: EntityType> {
  private var lists: [Entity.EntityID: [Reading]] = [:]

  func add(_ reading: Reading, for id: Entity.EntityID, among nodes: ReadingNodes) {
    lists[id, default: []].noteReading(reading, among: nodes)
  }

  /// Takes away those who read a row.
  func take(_ id: Entity.EntityID) -> [Reading] { lists.removeValue(forKey: id) ?? [] }
}
