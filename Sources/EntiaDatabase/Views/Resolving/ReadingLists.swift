/// Who read which row of one entity type, or asked who names it.
@usableFromInline
final class ReadingLists<Entity: EntityType> {
  @usableFromInline private(set) var lists: [Entity.EntityID: [Reading]] = [:]

  init() {}

  func add(_ reading: Reading, for id: Entity.EntityID, among nodes: ReadingNodes) {
    lists[id, default: []].noteReading(reading, among: nodes)
  }

  /// Takes away those who read a row, and adds them to a list.
  @inlinable
  func take(_ id: Entity.EntityID, into readings: inout [Reading]) {
    guard let list = lists[id] else { return }
    readings += list
    forget(id)
  }

  @usableFromInline
  func forget(_ id: Entity.EntityID) { lists[id] = nil }
}
