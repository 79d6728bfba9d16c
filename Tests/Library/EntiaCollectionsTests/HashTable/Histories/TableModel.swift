/// What a table must equal, in plain arrays: what is stored under each key, and a log of the
/// insertions for their order.
struct TableModel {
  struct Entry {
    var look = -1
    var serial = 0
    var rank = 0

    var isThere: Bool { look >= 0 }
  }

  private(set) var entries: [Entry]
  private(set) var count = 0
  private var log: [(value: Int, rank: Int)] = []
  private var lastRank = 0

  init(universe: Int) { entries = Array(repeating: Entry(), count: universe) }

  mutating func store(_ value: Int, look: Int, serial: Int) {
    if !entries[value].isThere {
      lastRank += 1
      count += 1
      entries[value].rank = lastRank
      log.append((value, lastRank))
    }
    entries[value].look = look
    entries[value].serial = serial
    if log.count > 2 * count + 64 { log = log.filter(isCurrent) }
  }

  mutating func remove(_ value: Int) {
    guard entries[value].isThere else { return }
    entries[value] = Entry()
    count -= 1
  }

  mutating func removeAll() { self = TableModel(universe: entries.count) }

  /// The keys in insertion order.
  var order: [Int] { log.filter(isCurrent).map(\.value) }

  private func isCurrent(_ item: (value: Int, rank: Int)) -> Bool {
    entries[item.value].rank == item.rank
  }

  func hasEqualContent(_ other: Self) -> Bool {
    count == other.count
      && entries.indices.allSatisfy { entries[$0].look == other.entries[$0].look }
  }

  /// What a table's `differences(from:)` must give, without the rows.
  func differences(from old: Self) -> [ProofDifference] {
    var result: [ProofDifference] = []
    for value in order {
      let (before, now) = (old.entries[value].look, entries[value].look)
      if before != now { result.append(ProofDifference(value: value, old: before, new: now)) }
    }
    for value in old.order where !entries[value].isThere {
      result.append(ProofDifference(value: value, old: old.entries[value].look, new: -1))
    }
    return result
  }
}

/// A difference between two versions: the key, and the looks, which are -1 where it is missing.
struct ProofDifference: Equatable {
  let value: Int
  let old: Int
  let new: Int
}
