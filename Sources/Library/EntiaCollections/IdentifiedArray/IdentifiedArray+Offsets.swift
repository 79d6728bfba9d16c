#if canImport(Foundation)
  public import Foundation

  extension IdentifiedArray {
    /// Removes the elements at some positions. Positions out of bounds are ignored.
    /// - Parameter offsets: The positions.
    /// - Complexity: O(*k* log *n*), where *k* is their number, and never more than O(*n*).
    public mutating func remove(atOffsets offsets: IndexSet) {
      removePositions(Array(offsets.prefix { $0 < count }))
    }

    /// Moves the elements at some positions to before another position, keeping their order.
    ///
    /// Positions out of bounds are ignored; a destination out of bounds is clamped.
    ///
    /// ```swift
    /// List { ForEach(todos) { … }.onMove { todos.move(fromOffsets: $0, toOffset: $1) } }
    /// ```
    /// - Parameters:
    ///   - offsets: The positions.
    ///   - destination: The position to move to, or `endIndex`.
    /// - Complexity: O(*k* log *n*), where *k* is their number, and never more than O(*n*).
    public mutating func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
      movePositions(
        Array(offsets.prefix { $0 < count }), to: Swift.min(Swift.max(destination, 0), count))
    }
  }
#endif

extension IdentifiedArray {
  /// Moves the elements at valid, ascending positions to before another position, or to the end.
  @inlinable
  mutating func movePositions(_ positions: [Int], to destination: Int) {
    let before = positions.count { $0 < destination }
    if positions.count < 8 || positions.count * 16 < count {
      // Positions before the destination are moved to its left, the last one first, so that no move
      // shifts the positions of the others. Positions after it are moved to its right.
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
