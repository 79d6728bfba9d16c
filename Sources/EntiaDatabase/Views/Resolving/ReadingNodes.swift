/// A value that read something: the number of its node, and which of the node's lives it is.
@usableFromInline
struct Reading: Equatable {
  @usableFromInline let node: Int
  @usableFromInline let life: Int
}

/// Which values were made of which: a graph whose nodes die when what they read changes, and take
/// along those that were made of them.
@usableFromInline
struct ReadingNodes {
  /// Which of its lives each node is in.
  @usableFromInline private(set) var lives: [Int] = []
  /// The values that were made of each node's.
  private var users: [[Reading]] = []
  private var free: [Int] = []

  /// Begins a new node's life.
  mutating func begin() -> Reading {
    if let node = free.popLast() { return Reading(node: node, life: lives[node]) }
    lives.append(0)
    users.append([])
    return Reading(node: lives.count - 1, life: 0)
  }

  @inlinable
  func isCurrent(_ reading: Reading) -> Bool { lives[reading.node] == reading.life }

  /// Notes that one value was made of another.
  mutating func add(_ user: Reading, to part: Reading) {
    users[part.node].noteReading(user, among: self)
  }

  /// Ends the lives of nodes, and of all that were made of them.
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
  /// Adds a reading; those whose lives have ended go whenever the list would grow.
  mutating func noteReading(_ reading: Reading, among nodes: ReadingNodes) {
    if last == reading { return }
    if count == capacity { removeAll { !nodes.isCurrent($0) } }
    append(reading)
  }
}
