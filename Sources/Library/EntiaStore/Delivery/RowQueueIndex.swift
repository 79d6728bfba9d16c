/// The queues that observe rows, indexed by the keys of the rows. A commit finds the affected
/// queues without visiting the others. A queue is represented by its slot in the delivery state.
struct RowQueueIndex {
  /// The databases, keys and filters that any queue observes.
  private var request = RowRouting.Request()
  private var queuesByKey: [RowKey: SmallSet<Int>] = [:]
  private var keyedCount = 0
  private var counts: [ObjectIdentifier: Int] = [:]

  /// Returns what all queues observe, except the queues to which the indexes `others` belong.
  func request(without others: [RowObserverIndex], revision: UInt64) -> RowRouting.Request {
    var request = request
    request.revision = revision
    if others.isEmpty { return request }
    var (counts, keyedCount) = (counts, keyedCount)
    for rows in others {
      request.filters[rows.slot] = nil
      if rows.isKeyed { keyedCount -= 1 }
      for detector in rows.detectors { counts[ObjectIdentifier(detector)]? -= 1 }
    }
    request.isKeyed = keyedCount > 0
    request.detectors.removeAll { counts[ObjectIdentifier($0)] == 0 }
    return request
  }

  /// Counts a queue that observes a database.
  mutating func addQueue(of detector: DatabaseChangeDetector) {
    counts[ObjectIdentifier(detector), default: 0] += 1
    if counts[ObjectIdentifier(detector)] == 1 { request.detectors.append(detector) }
  }

  /// Subtracts a queue that no longer observes a database. The caller must retain the detector.
  mutating func removeQueue(of detector: DatabaseChangeDetector) {
    counts[ObjectIdentifier(detector)]? -= 1
    if counts[ObjectIdentifier(detector)] != 0 { return }
    counts[ObjectIdentifier(detector)] = nil
    request.detectors.removeAll { $0 === detector }
  }

  /// Adds a queue under a key. `isFirst` is whether the queue observes no other key.
  mutating func insert(_ slot: Int, under key: RowKey, isFirst: Bool) {
    queuesByKey[key, default: SmallSet()].insert(slot)
    if isFirst { keyedCount += 1 }
    request.isKeyed = true
  }

  /// Removes a queue from a key. `isLast` is whether the queue observes no other key.
  mutating func remove(_ slot: Int, under key: RowKey, isLast: Bool) {
    if queuesByKey[key]?.remove(slot) == true { queuesByKey[key] = nil }
    if isLast { keyedCount -= 1 }
    request.isKeyed = keyedCount > 0
  }

  func queues(underKeysOf routing: borrowing RowRouting) -> Set<Int> {
    var found: Set<Int> = []
    _ = routing.containsKey { key in
      guard let queues = queuesByKey[key] else { return false }
      found.formUnion(queues)
      return found.count == keyedCount
    }
    return found
  }

  func filters(of slot: Int) -> RowChangeFilters { request.filters[slot] ?? [:] }

  /// Sets the filter of an observer.
  ///
  /// - Returns: The previous filter, to be released without the lock.
  mutating func setFilter(
    _ filter: RowChangeFilter?, of id: UInt64, on slot: Int
  ) -> RowChangeFilter? {
    if let filter {
      return request.filters[slot, default: [:]].updateValue(filter, forKey: id)
    }
    let former = request.filters[slot]?.removeValue(forKey: id)
    if request.filters[slot]?.isEmpty == true { request.filters[slot] = nil }
    return former
  }
}

/// A set that usually has at most one element, which is stored without an allocation. Its elements
/// have no order.
struct SmallSet<Element: Hashable>: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate var first: Element?
    fileprivate var others: Set<Element>.Iterator?

    mutating func next() -> Element? { first.take() ?? others?.next() }
  }

  private var first: Element?
  private var others: Set<Element> = []

  var isEmpty: Bool { first == nil && others.isEmpty }

  /// Adds an element, and returns whether the set was empty.
  @discardableResult
  mutating func insert(_ element: Element) -> Bool {
    if first == element { return false }
    if others.isEmpty {
      defer { if first == nil { first = element } else { others.insert(element) } }
      return first == nil
    }
    others.insert(element)
    return false
  }

  /// Removes an element, and returns whether the set is empty now.
  @discardableResult
  mutating func remove(_ element: Element) -> Bool {
    if first == element { first = nil } else if !others.isEmpty { others.remove(element) }
    return isEmpty
  }

  func makeIterator() -> Iterator {
    Iterator(first: first, others: others.isEmpty ? nil : others.makeIterator())
  }
}
