/// The resolved values that read each row of an entity type, or that read its holders.
@usableFromInline
final class DependencyLists<Entity: EntityType> {
  // Not checked for exclusive access, like the graph's properties.
  @exclusivity(unchecked) @usableFromInline private(set) var lists:
    [Entity.EntityID: [DependencyToken]] = [:]

  init() {}

  func add(_ token: DependencyToken, for id: Entity.EntityID, among nodes: DependencyNodes) {
    lists[id, default: []].appendCurrent(token, among: nodes.generations)
  }

  /// Removes the readers of a row and appends them to a list.
  @inlinable
  func take(_ id: Entity.EntityID, into tokens: inout [DependencyToken]) {
    guard let list = lists[id] else { return }
    tokens += list
    removeReaders(of: id)
  }

  @usableFromInline
  func removeReaders(of id: Entity.EntityID) { lists[id] = nil }
}
