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

  private var observers: [UInt64: Entry] = [:]
  /// The observers that are registered under each key.
  private var observersByKey: [RowKey: [StoreObserver]] = [:]
  /// The number of observers of each database.
  private var counts: [ObjectIdentifier: Int] = [:]
  private(set) var filters: RowChangeFilters = [:]
  /// The number of calls of `register` so far. If it has changed, filters may have been replaced.
  private(set) var registrationCount: UInt64 = 0
  /// The databases that are observed.
  private(set) var detectors: [DatabaseChangeDetector] = []

  var isEmpty: Bool { observers.isEmpty }

  /// The keys under which observers are registered.
  var keys: some Collection<RowKey> { observersByKey.keys }

  /// Whether any observer is registered under a key.
  var isKeyed: Bool { !observersByKey.isEmpty }

  var all: [StoreObserver] { observers.values.map(\.observer) }

  func observer(_ id: UInt64) -> StoreObserver? { observers[id]?.observer }

  /// Returns the observers of any of the keys, without duplicates, in the order in which they were
  /// added.
  func observers(of keys: [RowKey]) -> [StoreObserver] {
    var found: [UInt64: StoreObserver] = [:]
    for key in keys {
      for observer in observersByKey[key] ?? [] { found[observer.id] = observer }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  /// The observers that have a filter, with their filters.
  var filtered: [(observer: StoreObserver, filter: RowChangeFilter)] {
    filters.compactMap { id, filter in observers[id].map { ($0.observer, filter) } }
  }

  /// Returns the observers whose filters accepted a change.
  func accepted(by changes: RowChanges) -> [StoreObserver] {
    changes.filtered.compactMap { filters[$0] == nil ? nil : observers[$0]?.observer }
  }

  /// Returns whether a change of rows may affect any observer. If the rows have not been compared,
  /// returns whether a database is observed.
  ///
  /// - Parameters:
  ///   - changes: The keys of the changed rows, and the observers whose filters accept the change.
  ///   - revision: The current revision of the delivery.
  func mayConcern(_ changes: borrowing RowRouting, revision: UInt64) -> Bool {
    if !changes.isCompared { return !detectors.isEmpty }
    if !filters.isEmpty {
      // The filters were called without the lock. Since then, filters may have been replaced or
      // added.
      if changes.revision != revision { return true }
      if changes.filtered.contains(where: { filters[$0] != nil }) { return true }
    }
    if !isKeyed { return false }
    for index in detectors.indices {
      if changes.mayContain(detectors[index], where: { observersByKey.index(forKey: $0) != nil }) {
        return true
      }
    }
    return false
  }

  mutating func add(_ observer: StoreObserver, for rows: ObservedRows) {
    observers[observer.id] = Entry(observer: observer, rows: rows)
    for key in rows.keys { observersByKey[key, default: []].append(observer) }
    for detector in rows.detectors {
      counts[ObjectIdentifier(detector), default: 0] += 1
      if counts[ObjectIdentifier(detector)] == 1 { detectors.append(detector) }
    }
  }

  /// Removes an observer.
  ///
  /// - Returns: The observer and its registration, for the caller to release without the lock.
  mutating func remove(_ id: UInt64) -> (observer: StoreObserver, registration: Registration)? {
    guard let removed = observers.removeValue(forKey: id) else { return nil }
    for key in removed.rows.keys { unregister(id, key) }
    for detector in removed.rows.detectors {
      let id = ObjectIdentifier(detector)
      counts[id]? -= 1
      if counts[id] != 0 { continue }
      counts[id] = nil
      detectors.removeAll { $0 === detector }
    }
    let filter = filters.removeValue(forKey: id)
    // The returned registration may hold the last reference to a database detector and to its key
    // path.
    return (removed.observer, Registration(rows: removed.rows, filter: filter))
  }

  /// Registers an observer under the keys or the filter of its reads, unless it is already
  /// registered for a later version.
  ///
  /// - Returns: The old keys and filter, for the caller to release without the lock.
  mutating func register(_ id: UInt64, under reads: RowReads) -> Registration? {
    guard var entry = observers[id], entry.version <= reads.version else { return nil }
    entry.version = reads.version
    registrationCount += 1
    let replaced = Registration(rows: entry.rows, filter: filters[id])
    if replaced.rows.keys != reads.keys {
      for key in replaced.rows.keys { unregister(id, key) }
      for key in reads.keys { observersByKey[key, default: []].append(entry.observer) }
      entry.rows.keys = reads.keys
    }
    if let filter = reads.filter {
      filters[id] = filter
    } else if replaced.filter != nil {
      filters[id] = nil
    }
    observers[id] = entry
    return replaced
  }

  private mutating func unregister(_ id: UInt64, _ key: RowKey) {
    observersByKey[key]?.removeAll { $0.id == id }
    if observersByKey[key]?.isEmpty == true { observersByKey[key] = nil }
  }
}

/// The kind of events that an observer receives.
enum ObservedRegion: Sendable {
  case states
  case activities
  case rows(RowObserverIndex.ObservedRows)
}
