#if canImport(Foundation)
  public import Foundation

  extension IdentifiedArray {
    /// Removes the elements at some positions.
    /// - Precondition: the positions are valid.
    /// - Complexity: O(*k* log *n*), where *k* is their number, and never more than O(*n*).
    public mutating func remove(atOffsets offsets: IndexSet) { removePositions(Array(offsets)) }

    /// Moves the elements at some positions to before another position, keeping their order.
    ///
    /// ```swift
    /// List { ForEach(todos) { … }.onMove { todos.move(fromOffsets: $0, toOffset: $1) } }
    /// ```
    /// - Precondition: the positions are valid; the destination is, or is `endIndex`.
    /// - Complexity: O(*k* log *n*), where *k* is their number, and never more than O(*n*).
    public mutating func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
      movePositions(Array(offsets), to: destination)
    }
  }
#endif

extension IdentifiedArray {
  /// Moves the elements at ascending positions to before another one.
  @inlinable
  mutating func movePositions(_ positions: [Int], to destination: Int) {
    precondition(destination >= 0 && destination <= count, "Position out of range")
    let before = positions.count { $0 < destination }
    if positions.count < 8 || positions.count * 16 < count {
      // Those before go to the destination's left, the last one first, and so nothing shifts the
      // positions that are still to be moved; those behind go to its right.
      for index in 0..<before {
        table.move(from: positions[before - 1 - index], to: destination - 1 - index)
      }
      for index in before..<positions.count {
        table.move(from: positions[index], to: destination + index - before)
      }
      return
    }
    var isMoved = [Bool](repeating: false, count: count)
    for position in positions { isMoved[position] = true }
    reorder { entries in
      let all = entries
      entries.removeAll(keepingCapacity: true)
      for position in 0..<destination where !isMoved[position] { entries.append(all[position]) }
      for position in positions { entries.append(all[position]) }
      for position in destination..<all.count where !isMoved[position] {
        entries.append(all[position])
      }
    }
  }
}
