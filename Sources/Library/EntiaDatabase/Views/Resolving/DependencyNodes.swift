/// The identity of a resolved value in the dependency graph: its node, and the generation of the
/// node.
@usableFromInline
struct DependencyToken: Equatable {
  @usableFromInline let node: Int
  @usableFromInline let generation: Int
}

/// The dependency graph of resolved values. Invalidating a node invalidates every value that was
/// built from it, and frees the nodes for reuse in a new generation.
@usableFromInline
struct DependencyNodes {
  /// The current generation of each node.
  @usableFromInline private(set) var generations: [Int] = []
  /// The values that were built from each node's value.
  private(set) var users: [[DependencyToken]] = []
  private var free: [Int] = []

  /// Allocates a node for a new value.
  mutating func begin() -> DependencyToken {
    if let node = free.popLast() {
      return DependencyToken(node: node, generation: generations[node])
    }
    generations.append(0)
    users.append([])
    return DependencyToken(node: generations.count - 1, generation: 0)
  }

  @inlinable
  func isCurrent(_ token: DependencyToken) -> Bool { generations[token.node] == token.generation }

  /// Adds the dependency of one value on another.
  mutating func add(_ user: DependencyToken, to part: DependencyToken) {
    // The generations alone: a copy of the nodes would copy every list of users with this write.
    users[part.node].appendCurrent(user, among: generations)
  }

  /// Invalidates nodes, and every value that was built from them.
  mutating func end(_ tokens: [DependencyToken]) {
    var pending = tokens
    while let token = pending.popLast() {
      guard isCurrent(token) else { continue }
      pending += users[token.node]
      users[token.node] = []
      generations[token.node] += 1
      free.append(token.node)
    }
  }
}

extension [DependencyToken] {
  /// Appends a token. Invalidated tokens are removed whenever the list would grow.
  mutating func appendCurrent(_ token: DependencyToken, among generations: [Int]) {
    if last == token { return }
    if count == capacity { removeAll { generations[$0.node] != $0.generation } }
    append(token)
  }
}

/// For each row of an entity type, the resolved values that read the row, or its holders.
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
