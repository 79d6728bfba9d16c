import Observation

/// The object that the Observation framework tracks in place of a store. It represents the whole
/// state, and each part that has been read individually.
final class StateObservation<State: Sendable>: Observable, Sendable {
  private struct Part {
    let path: any PartialKeyPath<State> & Sendable
    let hash: Int
    let number: Int
    let isSame: @Sendable (State, State) -> Bool
    /// The key path of `StateObservation` that represents the part. The key path exists only while
    /// a tracked read of the part is pending.
    weak var place: KeyPath<StateObservation, Void>?
  }

  private struct Parts {
    /// The parts, in the order in which they were added.
    private(set) var all: [Part] = []
    /// The indices of the parts, by the hashes of their key paths. Hashing a key path may run user
    /// code, so a hash is computed without the lock.
    private var indices: [Int: [Int]] = [:]
    private(set) var revision = 0
    /// The number of parts at which `add(_:)` removes the parts without a pending read.
    private var limit = 16

    func parts(withHash hash: Int) -> [Part] { indices[hash]?.map { all[$0] } ?? [] }

    /// Adds a part, or replaces the part with the same number.
    ///
    /// - Returns: The previous list if parts were removed from it, to be released without the lock.
    mutating func add(_ part: Part) -> [Part] {
      revision += 1
      if let index = indices[part.hash]?.first(where: { all[$0].number == part.number }) {
        all[index] = part
        return []
      }
      var former: [Part] = []
      if all.count >= limit {
        former = all
        all = []
        indices = [:]
        for part in former where part.place != nil { append(part) }
        limit = max(16, 2 * all.count)
      }
      append(part)
      return former
    }

    private mutating func append(_ part: Part) {
      indices[part.hash, default: []].append(all.count)
      all.append(part)
    }
  }

  let rows: RowTracking
  private let pendingChanges: PendingChanges
  private let registrar = ObservationRegistrar()
  private let probe = TrackingProbe.shared
  private let parts = Mutex(Parts())
  /// The key path that represents the state as a whole. It is created once, because creating a key
  /// path takes longer than a read.
  private let whole: any KeyPath<StateObservation, Void> & Sendable = \.[whole: 0]

  init(_ pendingChanges: PendingChanges) {
    self.pendingChanges = pendingChanges
    rows = RowTracking(pendingChanges)
  }

  var partCount: Int { parts.withLock { $0.all.count } }

  /// The subscripts to which the tracked key paths lead. Their values are never read.
  private subscript(number: Int) -> Void { () }
  private subscript(whole number: Int) -> Void { () }

  /// Registers a read of the whole state with Observation; called before the read.
  func registerStateRead() {
    guard isTracked else { return }
    pendingChanges.use()
    registrar.access(self, keyPath: whole)
  }

  var isTracked: Bool { probe.isTracked(by: registrar) }

  /// Registers a read of a part of the state with Observation; called before the read.
  func registerRead<Value>(_ path: any KeyPath<State, Value> & Sendable) {
    if isTracked { willTrack(path) }
  }

  /// Registers a tracked read of a part of the state with Observation; called before the read.
  func willTrack<Value>(_ path: any KeyPath<State, Value> & Sendable) {
    pendingChanges.use()
    registrar.access(self, keyPath: place(of: path))
  }

  /// Notifies the tracked reads of changes; must be called without a lock after the new version is
  /// published.
  ///
  /// Changes are processed one after another. If an observer makes a change during its
  /// notification, the change is queued, and the notifying thread processes it afterwards.
  /// Otherwise an observer that changes its own observed state would be called recursively without
  /// end.
  func changed(from old: StateVersion<State>, to new: StateVersion<State>) {
    guard pendingChanges.append(PendingChanges.Change(old: old, new: new)) else { return }
    while let change = pendingChanges.next() {
      let (old, new) = (change.old.of(State.self).value, change.new.of(State.self).value)
      notify(whole)
      for part in parts.withLock({ $0.all }) {
        if let place = part.place, change.isMerged || !part.isSame(old, new) { notify(place) }
      }
      if change.isMerged {
        rows.mayHaveChanged()
      } else {
        rows.changed(from: change.old, to: change.new)
      }
    }
  }

  private func notify(_ place: KeyPath<StateObservation, Void>) {
    registrar.willSet(self, keyPath: place)
    registrar.didSet(self, keyPath: place)
  }

  /// Returns the key path that represents a part. It is the same object as long as a read of the
  /// part is pending.
  private func place<Value>(
    of path: any KeyPath<State, Value> & Sendable
  ) -> KeyPath<StateObservation, Void> {
    // Hashing and comparing key paths may run user code, so both happen without the lock.
    let hash = path.hashValue
    var former: [Part] = []
    let (_, place) = parts.findOrAdd(
      read: { ($0.parts(withHash: hash), revision: $0.revision) },
      find: { known -> (Part, KeyPath<StateObservation, Void>)? in
        guard let part = known.first(where: { $0.path == path }) else { return nil }
        return part.place.map { (part, $0) }
      },
      make: { known, revision in
        let place = makePlace(revision)
        if var part = known.first(where: { $0.path == path }) {
          part.place = place
          return (part, place)
        }
        let equality = Equality<Value>()
        let part = Part(
          path: path, hash: hash, number: revision,
          isSame: { equality.areSurelyEqual($0[keyPath: path], $1[keyPath: path]) }, place: place)
        return (part, place)
      },
      add: { former = $0.add($1.0) })
    withExtendedLifetime(former) {}
    return place
  }

  /// Creates a key path. Each call must create a new object. The function is not inlined, because
  /// the compiler could turn a key path with a known argument into a constant.
  @inline(never)
  private func makePlace(_ number: Int) -> KeyPath<StateObservation, Void> { \.[number] }
}
