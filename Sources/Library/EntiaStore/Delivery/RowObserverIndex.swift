/// The observers of rows on one target, indexed by the keys of the rows.
struct RowObserverIndex {
  /// The databases and the row keys of an observer.
  struct ObservedRows: Sendable {
    var detectors: [DatabaseChangeDetector]
    var keys: [RowKey]
    /// The fields to which some of the keys belong.
    var fields: [DatabaseChangeDetector.ObservedField] = []
  }

  /// The rows and the filter under which an observer is registered.
  struct Registration {
    let rows: ObservedRows
    let filter: RowChangeFilter?
  }

  private struct Entry {
    let observer: StoreObserver
    var rows: ObservedRows
    /// The version of the state in which the observer read these rows.
    var version: UInt64 = 0
  }

  let slot: Int
  private var observers: [UInt64: Entry] = [:]
  /// The IDs of the observers that are registered under each key.
  private var observersByKey: [RowKey: SmallSet<UInt64>] = [:]
  private var counts: [ObjectIdentifier: Int] = [:]
  /// The number of calls of `register` so far. If it has changed, filters may have been replaced.
  private(set) var registrationCount: UInt64 = 0
  private(set) var detectors: [DatabaseChangeDetector] = []

  init(slot: Int) { self.slot = slot }

  var isEmpty: Bool { observers.isEmpty }

  var isKeyed: Bool { !observersByKey.isEmpty }

  var all: [StoreObserver] { observers.values.map(\.observer) }

  func observer(_ id: UInt64) -> StoreObserver? { observers[id]?.observer }

  /// Returns the observers of any of the keys, without duplicates, in the order in which they were
  /// added.
  func observers(of keys: [RowKey]) -> [StoreObserver] {
    var found: Set<UInt64> = []
    for key in keys {
      if let ids = observersByKey[key] { found.formUnion(ids) }
    }
    return found.sorted().compactMap { observers[$0]?.observer }
  }

  func filtered(
    in index: RowQueueIndex
  ) -> [(observer: StoreObserver, filter: RowChangeFilter)] {
    index.filters(of: slot).compactMap { id, filter in observers[id].map { ($0.observer, filter) } }
  }

  func accepted(by changes: RowChanges, in index: RowQueueIndex) -> [StoreObserver] {
    let (filters, accepted) = (index.filters(of: slot), changes.filtered)
    // `accepted` may contain observers of many queues, so the smaller of the two sets is visited.
    let ids =
      filters.count < accepted.count
      ? filters.keys.filter(accepted.contains) : accepted.filter { filters[$0] != nil }
    return ids.compactMap { observers[$0]?.observer }
  }

  mutating func add(
    _ observer: StoreObserver, for rows: ObservedRows, in index: inout RowQueueIndex
  ) {
    observers[observer.id] = Entry(observer: observer, rows: rows)
    for key in rows.keys { insert(observer.id, under: key, in: &index) }
    for detector in rows.detectors {
      counts[ObjectIdentifier(detector), default: 0] += 1
      if counts[ObjectIdentifier(detector)] != 1 { continue }
      detectors.append(detector)
      index.addQueue(of: detector)
    }
  }

  /// Removes an observer.
  ///
  /// - Returns: The observer and its registration, for the caller to release without the lock.
  mutating func remove(
    _ id: UInt64, in index: inout RowQueueIndex
  ) -> (observer: StoreObserver, registration: Registration)? {
    guard let removed = observers.removeValue(forKey: id) else { return nil }
    for key in removed.rows.keys { remove(id, under: key, in: &index) }
    for detector in removed.rows.detectors {
      let id = ObjectIdentifier(detector)
      counts[id]? -= 1
      if counts[id] != 0 { continue }
      counts[id] = nil
      detectors.removeAll { $0 === detector }
      index.removeQueue(of: detector)
    }
    let filter = index.setFilter(nil, of: id, on: slot)
    // The returned registration may hold the last reference to a database detector and to its key
    // path.
    return (removed.observer, Registration(rows: removed.rows, filter: filter))
  }

  /// Registers an observer under the keys or the filter of its reads, unless it is already
  /// registered for a later version.
  ///
  /// - Returns: The old keys and filter, for the caller to release without the lock.
  mutating func register(
    _ id: UInt64, under reads: RowReads, in index: inout RowQueueIndex
  ) -> Registration? {
    guard var entry = observers[id], entry.version <= reads.version else { return nil }
    entry.version = reads.version
    registrationCount += 1
    let replaced = Registration(
      rows: entry.rows, filter: index.setFilter(reads.filter, of: id, on: slot))
    if replaced.rows.keys != reads.keys {
      for key in replaced.rows.keys { remove(id, under: key, in: &index) }
      for key in reads.keys { insert(id, under: key, in: &index) }
      entry.rows.keys = reads.keys
    }
    observers[id] = entry
    return replaced
  }

  private mutating func insert(_ id: UInt64, under key: RowKey, in index: inout RowQueueIndex) {
    let isFirst = !isKeyed
    if observersByKey[key, default: SmallSet()].insert(id) {
      index.insert(slot, under: key, isFirst: isFirst)
    }
  }

  private mutating func remove(_ id: UInt64, under key: RowKey, in index: inout RowQueueIndex) {
    if observersByKey[key]?.remove(id) != true { return }
    observersByKey[key] = nil
    index.remove(slot, under: key, isLast: !isKeyed)
  }
}

enum ObservedRegion: Sendable {
  case states
  case activities
  case rows(RowObserverIndex.ObservedRows)
}
