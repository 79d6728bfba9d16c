/// A sequence of elements that are appended one by one. The iteration moves them out, so that
/// creating a table from the sequence copies no element.
final class LoadedElements<Element>: Sequence, IteratorProtocol {
  // Exclusivity is unchecked, because no code of `Element` runs while a property is accessed.
  @exclusivity(unchecked) private var start: UnsafeMutablePointer<Element>
  @exclusivity(unchecked) private var capacity: Int
  /// The index of the next element to move out.
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private var end = 0

  /// The number of elements that have not been moved out.
  var count: Int { end - first }
  var underestimatedCount: Int { count }

  /// Creates an empty sequence with room for some elements.
  init(capacity: Int = 16) {
    self.capacity = Swift.max(capacity, 1)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    (start + first).deinitialize(count: count)
    start.deallocate()
  }

  /// Appends an element. The iteration must not have begun.
  /// - Parameter make: Returns the element. A parameter of the type `Element` would move the
  ///   element once more.
  /// - Throws: The error of the closure.
  @inline(__always)
  func append(_ make: () throws -> Element) rethrows {
    if end == capacity { grow() }
    (start + end).initialize(to: try make())
    end += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
    larger.moveInitialize(from: start, count: end)
    start.deallocate()
    start = larger
    capacity *= 2
  }

  /// Moves the next element out.
  func next() -> Element? {
    if first == end { return nil }
    defer { first += 1 }
    return (start + first).move()
  }

  /// Reorders the elements. The iteration must not have begun.
  /// - Parameter order: For each new index, the old index of the element. Each old index occurs
  ///   once.
  func arrange(by order: consuming [Int]) {
    var order = order
    withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { spare in
      guard let spare = spare.baseAddress else { return }
      for first in order.indices where order[first] != first {
        // Moves the elements of one cycle of the permutation. Each move frees the index for the
        // next.
        spare.moveInitialize(from: start + first, count: 1)
        var place = first
        while order[place] != first {
          let next = order[place]
          (start + place).moveInitialize(from: start + next, count: 1)
          order[place] = place
          place = next
        }
        (start + place).moveInitialize(from: spare, count: 1)
        order[place] = place
      }
    }
  }
}
