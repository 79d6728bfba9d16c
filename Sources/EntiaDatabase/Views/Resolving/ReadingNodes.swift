/// The identity of a resolved value in the dependency graph: its node, and the generation of the
/// node.
@usableFromInline
struct Reading: Equatable {
  @usableFromInline let node: Int
  @usableFromInline let life: Int
}

/// The dependency graph of resolved values. Invalidating a node invalidates every value that was
/// built from it, and frees the nodes for reuse in a new generation.
@usableFromInline
struct ReadingNodes {
  /// The current generation of each node.
  @usableFromInline private(set) var lives: [Int] = []
  /// The values that were built from each node's value.
  private var users: [[Reading]] = []
  private var free: [Int] = []

  /// Allocates a node for a new value.
  mutating func begin() -> Reading {
    if let node = free.popLast() { return Reading(node: node, life: lives[node]) }
    lives.append(0)
    users.append([])
    return Reading(node: lives.count - 1, life: 0)
  }

  @inlinable
  func isCurrent(_ reading: Reading) -> Bool { lives[reading.node] == reading.life }

  /// Adds the dependency of one value on another.
  mutating func add(_ user: Reading, to part: Reading) {
    users[part.node].noteReading(user, among: self)
  }

  /// Invalidates nodes, and every value that was built from them.
  mutating func end(_ readings: [Reading]) {
    var pending = readings
    while let reading = pending.popLast() {
      guard isCurrent(reading) else { continue }
      pending += users[reading.node]
      users[reading.node] = []
      lives[reading.node] += 1
      free.append(reading.node)
    }
  }
}

extension [Reading] {
  /// Appends a reading. Invalidated readings are removed whenever the list would grow.
  mutating func noteReading(_ reading: Reading, among nodes: ReadingNodes) {
    if last == reading { return }
    if count == capacity { removeAll { !nodes.isCurrent($0) } }
    append(reading)
  }
}
