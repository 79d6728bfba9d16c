/// A value that read something: the number of its node, and which of the node's lives it is.
struct Reading: Equatable {
  let node: Int
  let life: Int
}

/// Which values were made of which: a graph whose nodes die when what they read changes, and take
/// along those that were made of them.
struct ReadingNodes {
  private struct Node {
    var life = 0
    var users: [Reading] = []
  }

  private var nodes: [Node] = []
  private var free: [Int] = []

  /// Begins a new node's life.
  mutating func begin() -> Reading {
    if let node = free.popLast() { return Reading(node: node, life: nodes[node].life) }
    nodes.append(Node())
    return Reading(node: nodes.count - 1, life: 0)
  }

  func isCurrent(_ reading: Reading) -> Bool { nodes[reading.node].life == reading.life }

  /// Notes that one value was made of another.
  mutating func add(_ user: Reading, to part: Reading) {
    nodes[part.node].users.noteReading(user, among: self)
  }

  /// Ends the lives of nodes, and of all that were made of them.
  mutating func end(_ readings: [Reading]) {
    var pending = readings
    while let reading = pending.popLast() {
      guard isCurrent(reading) else { continue }
      pending += nodes[reading.node].users
      nodes[reading.node].users = []
      nodes[reading.node].life += 1
      free.append(reading.node)
    }
  }
}

extension [Reading] {
  /// Adds a reading; those whose lives have ended go whenever the list would grow.
  mutating func noteReading(_ reading: Reading, among nodes: ReadingNodes) {
    if last == reading { return }
    if count == capacity { removeAll { !nodes.isCurrent($0) } }
    append(reading)
  }
}
