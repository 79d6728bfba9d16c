/// The keys of adjacent elements in some version of an ordered table, and the keys of their
/// neighbors on both sides.
package struct OrderedRun<Key: TableKey>: Sendable {
  /// The keys, in order.
  package var keys: [Key]
  /// The position of the run's first element, in the version from which the run was taken.
  package var position: Int
  /// The key of the neighbor before the elements, or `nil` if there is none.
  package var previous: Key?
  /// The key of the neighbor after the elements, or `nil` if there is none.
  package var next: Key?

  /// Creates a run.
  package init(keys: [Key], position: Int, previous: Key?, next: Key?) {
    self.keys = keys
    self.position = position
    self.previous = previous
    self.next = next
  }
}

extension PersistentOrderedTable {
  /// Moves each run of elements next to its neighbors. The runs and their neighbors were taken from
  /// another version. Keys that this table lacks are skipped.
  ///
  /// The first of these rules that applies determines the position of a run:
  /// - A run without a next neighbor was at the end of the other version, and is placed last.
  /// - If this table has the next neighbor, the run is placed directly before it.
  /// - A run without a previous neighbor is placed first.
  /// - If this table has the previous neighbor, the run is placed directly after it.
  /// - Any other run keeps its position in the other version, or is last if the table is too short.
  ///
  /// - Parameters:
  ///   - runs: The runs, by ascending position. No neighbor may be part of a run.
  ///   - isMovingAll: Whether a run is also moved if its elements already are in order between its
  ///     two neighbors.
  /// - Complexity: O(*k* · log *n*), where *k* is the number of keys.
  package mutating func place(_ runs: [OrderedRun<Key>], movingAll isMovingAll: Bool = false) {
    var taken: [(run: OrderedRun<Key>, elements: [Element])] = []
    for run in runs where isMovingAll || !isInPlace(run) { taken.append((run, [])) }
    for index in taken.indices {
      taken[index].elements = taken[index].run.keys.compactMap { remove($0) }
    }
    for (run, elements) in taken {
      var position = position(for: run)
      for element in elements where insert(element, at: position) == nil { position += 1 }
    }
  }

  private func isInPlace(_ run: OrderedRun<Key>) -> Bool {
    var last = -1
    if let previous = run.previous {
      guard let position = position(of: previous) else { return false }
      last = position
    }
    for key in run.keys {
      guard let position = position(of: key) else { continue }
      if position <= last { return false }
      last = position
    }
    guard let next = run.next else { return true }
    guard let position = position(of: next) else { return false }
    return position > last
  }

  private func position(for run: OrderedRun<Key>) -> Int {
    guard let next = run.next else { return count }
    if let position = position(of: next) { return position }
    guard let previous = run.previous else { return 0 }
    if let position = position(of: previous) { return position + 1 }
    return Swift.min(Swift.max(0, run.position), count)
  }

  /// Groups the elements with the given keys into runs, and returns each run with its neighbors.
  /// The neighbors are the nearest elements before and after the run that qualify.
  ///
  /// Two of the elements are in the same run if no qualifying neighbor is between them.
  ///
  /// - Parameters:
  ///   - keys: The keys. Missing keys are skipped.
  ///   - isNeighbor: Whether the element with a key qualifies as a neighbor. The closure is never
  ///     called for one of the `keys`.
  /// - Complexity: O(*k* · log *n*), where *k* is the number of keys, plus the number of elements
  ///   next to them that do not qualify.
  package func runs(
    of keys: Set<Key>, neighbors isNeighbor: (Key) -> Bool
  ) -> [OrderedRun<Key>] {
    var runs: [OrderedRun<Key>] = []
    var end = 0
    for start in keys.compactMap(position(of:)).sorted() where start >= end {
      var run = OrderedRun<Key>(keys: [], position: start, previous: nil, next: nil)
      var before = start
      while run.previous == nil, before > 0 {
        before -= 1
        let key = Layout.key(of: self[position: before])
        if isNeighbor(key) { run.previous = key }
      }
      end = start
      while run.next == nil, end < count {
        let key = Layout.key(of: self[position: end])
        if keys.contains(key) {
          run.keys.append(key)
        } else if isNeighbor(key) {
          run.next = key
        }
        end += 1
      }
      runs.append(run)
    }
    return runs
  }

  /// Applies the changes of order that another version has made since the common ancestor. Elements
  /// that the other version inserted or moved are placed next to the nearest neighbors that neither
  /// version moved.
  ///
  /// Both versions may have placed elements between the same two neighbors. The elements of this
  /// version then precede those of the other version. Before the call, this version must contain
  /// the elements that the other version inserted, and must lack the elements that the other
  /// version removed.
  ///
  /// - Parameters:
  ///   - keys: The keys of the elements that the other version inserted or moved.
  ///   - other: The other version.
  ///   - moved: The keys of the elements that this version moved.
  /// - Complexity: O(*k* · log *n*), where *k* is the number of elements that both versions placed
  ///   or removed.
  package mutating func place(_ keys: Set<Key>, asIn other: Self, moved: Set<Key>) {
    if keys.isEmpty { return }
    place(other.runs(of: keys) { !moved.contains($0) && contains($0) }, movingAll: true)
  }
}
