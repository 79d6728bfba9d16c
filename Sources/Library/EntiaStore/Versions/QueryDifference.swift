import EntiaCollections
public import EntiaDatabase

/// The difference between two results of a query, as positions, for example to animate a list.
///
/// To update a list of the old result:
/// 1. Remove the elements at `removed` and at the `from` of `moved`, in descending order.
/// 2. Insert the elements at `inserted` and at the `to` of `moved`, in ascending order.
/// 3. Refresh the elements at `updated`.
///
/// All other elements keep their order.
public struct QueryDifference<Entity: EntityType>: Equatable, Sendable {
  /// An entity whose order relative to the others changed.
  public struct Move: Hashable, Sendable {
    /// The position in the old result.
    public let from: Int
    /// The position in the new result.
    public let to: Int
  }

  /// The old result.
  public let old: [Entity]
  /// The new result.
  public let new: [Entity]
  /// The positions that the removed entities have in the old result, ascending.
  public private(set) var removed: [Int] = []
  /// The positions of the inserted entities in the new result, ascending.
  public private(set) var inserted: [Int] = []
  /// The entities whose order relative to the others changed, by ascending new position. The number
  /// of moves is minimal. A difference that was computed from the changes of a commit moves only
  /// changed entities; its number of moves is minimal under this condition.
  public private(set) var moved: [Move] = []
  /// The positions that entities with changed values have in the new result, ascending. An entity
  /// may be both moved and updated.
  public private(set) var updated: [Int] = []

  /// Creates the difference between two results. Each ID must occur at most once in each result.
  ///
  /// - Complexity: O(*m* + *n* · log *n*), where *m* is the length of the longer result and *n* the
  ///   length of the range between the first and the last position with different IDs.
  package init(from old: [Entity], to new: [Entity]) {
    self.old = old
    self.new = new
    compare()
  }

  /// Creates the difference between two results from the rows that left and entered the result.
  ///
  /// - Complexity: O(*k* · log *k*), where *k* is the number of removed and inserted rows.
  init(from old: [Entity], to new: [Entity], _ step: LiveFetchStep) {
    self.old = old
    self.new = new
    compare(left: step.left, came: step.came)
  }

  /// Compares the rows at `left` in the old result with the rows at `came` in the new result. All
  /// other rows are equal and in the same order.
  private mutating func compare(left: some Sequence<Int>, came: some Sequence<Int>) {
    var places: [Entity.EntityID: (position: Int, rank: Int)] = [:]
    for (number, position) in left.enumerated() {
      places[old[position].entityID] = (position, position - number)
    }
    var common: [Move] = []
    /// The rows in `common` that have the same number of uncompared rows before them in both
    /// results. If `left` and `came` are ranges with the same start, these are all rows in
    /// `common`.
    var resting: [Move] = []
    for (number, position) in came.enumerated() {
      guard let place = places.removeValue(forKey: new[position].entityID) else {
        inserted.append(position)
        continue
      }
      let move = Move(from: place.position, to: position)
      common.append(move)
      if place.rank == position - number { resting.append(move) }
      if !haveSameValue(old[place.position], new[position]) { updated.append(position) }
    }
    removed = places.values.map { $0.position }.sorted()
    let staying = Set(
      Self.longestIncreasingSubsequence(resting.map { $0.from }).map { resting[$0] })
    moved = common.filter { !staying.contains($0) }
  }

  /// Whether the results are equal.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
  }

  private mutating func compare() {
    var start = 0
    let shorter = min(old.count, new.count)
    while start < shorter, old[start].hasID(new[start].entityID) {
      if !haveSameValue(old[start], new[start]) { updated.append(start) }
      start += 1
    }
    var tail = 0
    while tail < shorter - start,
      old[old.count - 1 - tail].hasID(new[new.count - 1 - tail].entityID)
    { tail += 1 }
    compare(left: start..<old.count - tail, came: start..<new.count - tail)
    for position in new.count - tail..<new.count
    where !haveSameValue(old[position - new.count + old.count], new[position]) {
      updated.append(position)
    }
  }

  /// Returns the positions of a longest increasing subsequence: the rows that need not move.
  private static func longestIncreasingSubsequence(_ numbers: [Int]) -> Set<Int> {
    /// For each length, the index of the final number of an increasing subsequence of that length.
    /// If there are several such subsequences, the one with the lowest final number is chosen.
    var ends: [Int] = []
    var before: [Int?] = []
    for (position, number) in numbers.enumerated() {
      var lower = 0
      var upper = ends.count
      while lower < upper {
        let middle = lower + (upper - lower) / 2
        if numbers[ends[middle]] < number { lower = middle + 1 } else { upper = middle }
      }
      before.append(lower == 0 ? nil : ends[lower - 1])
      if lower == ends.count { ends.append(position) } else { ends[lower] = position }
    }
    var result: Set<Int> = []
    var position = ends.last
    while let current = position {
      result.insert(current)
      position = before[current]
    }
    return result
  }
}

extension QueryDifference: CustomStringConvertible {
  /// The positions that differ and the length of the new result, such as `removed [2], inserted
  /// [0], moved [3 to 1], of 9`.
  public var description: String {
    var parts: [String] = []
    if !removed.isEmpty { parts.append("removed \(removed)") }
    if !inserted.isEmpty { parts.append("inserted \(inserted)") }
    if !moved.isEmpty {
      parts.append("moved [\(moved.map { "\($0.from) to \($0.to)" }.joined(separator: ", "))]")
    }
    if !updated.isEmpty { parts.append("updated \(updated)") }
    if parts.isEmpty { parts.append("no difference") }
    return parts.joined(separator: ", ") + ", of \(new.count)"
  }
}
