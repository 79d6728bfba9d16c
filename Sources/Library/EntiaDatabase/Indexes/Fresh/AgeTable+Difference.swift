package import EntiaCollections
package import Foundation

extension AgeTable {
  /// The times of an ID in two versions; `nil` for absence.
  package struct Difference: Equatable {
    package let id: ID
    package let old: Date?
    package let new: Date?
  }

  /// Returns the IDs whose times differ from an older version, in their order.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func differences(from old: Self) -> [Difference] {
    var (olds, news): ([ID: Date], [ID: Date]) = ([:], [:])
    let runs = runs.differences(from: old.runs) { $0.rest == $1.rest }
    for difference in runs {
      switch difference {
      case .removed(let run): for offset in 0..<run.count { olds[run[offset]] = run.time }
      case .inserted(let run): for offset in 0..<run.count { news[run[offset]] = run.time }
      }
    }
    var result: [Difference] = []
    for (id, time) in news {
      let former = olds.removeValue(forKey: id)
      if former.map({ Self.isSame($0, time) }) ?? false { continue }
      result.append(Difference(id: id, old: former, new: time))
    }
    result += olds.map { Difference(id: $0.key, old: $0.value, new: nil) }
    return result.sorted { $0.id < $1.id }
  }

  /// The entries that are out of place. There are none, unless Entia itself has a defect.
  /// - Complexity: O(*n* log *n*).
  var misplaced: [KeyValueEntry<ID, Date>] {
    var result: [KeyValueEntry<ID, Date>] = []
    var (previous, found, listed) = (KeyValueEntry<ID, Date>?.none, 0, Set<UInt64>())
    for entry in self {
      let isInOrder = previous.map {
        IndexOrder.precedes(
          SortedEntry(key: $0.value, id: $0.key), SortedEntry(key: entry.value, id: entry.key))
      }
      let time = time(of: entry.key)
      if isInOrder == false || !(time.map { Self.isSame($0, entry.value) } ?? false) {
        result.append(entry)
      }
      (previous, found) = (entry, found + 1)
      listed.insert(HashedTimeOrder.bits(of: entry.value))
    }
    if found != count || listed.count != times.count, let previous { result.append(previous) }
    return result
  }
}

extension AgeTable: PlacedElements {
  /// Returns the differences from an older version. The order of the entries has no meaning.
  package func placements(from old: Self) -> PlacementDifference<KeyValueEntry<ID, Date>> {
    PlacementDifference(
      unordered: differences(from: old).map { difference in
        (
          difference.old.map { KeyValueEntry(key: difference.id, value: $0) },
          difference.new.map { KeyValueEntry(key: difference.id, value: $0) }
        )
      })
  }

  /// Returns `nil`: the order has no meaning.
  package func element(before element: KeyValueEntry<ID, Date>) -> KeyValueEntry<ID, Date>? { nil }

  /// Returns `nil`: the order has no meaning.
  package func element(after element: KeyValueEntry<ID, Date>) -> KeyValueEntry<ID, Date>? { nil }
}
