/// Observers in the order in which they were added, which is the order of their IDs.
///
/// A removed observer leaves a gap, which is closed when half of the elements are gaps. Adding and
/// removing therefore take O(log *n*) amortized.
struct ObserverList {
  private var ids: [UInt64] = []
  /// The observers, with `nil` for each removed one. Copying the array to deliver an event takes no
  /// time.
  private(set) var elements: [StoreObserver?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  func observer(_ id: UInt64) -> StoreObserver? { index(of: id).flatMap { elements[$0] } }

  /// Adds an observer, whose ID must be greater than the IDs of the others.
  mutating func append(_ observer: StoreObserver) {
    ids.append(observer.id)
    elements.append(observer)
    count += 1
  }

  mutating func remove(_ id: UInt64) -> StoreObserver? {
    guard let index = index(of: id), let removed = elements[index].take() else { return nil }
    count -= 1
    if count <= elements.count / 2 {
      elements.removeAll { $0 == nil }
      ids = elements.compactMap { $0?.id }
    }
    return removed
  }

  private func index(of id: UInt64) -> Int? {
    var lower = 0
    var upper = ids.count
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if ids[middle] < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < ids.count && ids[lower] == id ? lower : nil
  }
}
