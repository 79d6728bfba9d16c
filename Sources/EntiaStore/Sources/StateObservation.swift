import Observation

/// The object that the Observation framework tracks in place of a store: the state as a whole, and
/// each part of it that has been read individually.
final class StateObservation<State: Sendable>: Observable, Sendable {
  private struct Part {
    let path: any PartialKeyPath<State> & Sendable
    let number: Int
    let isSame: @Sendable (State, State) -> Bool
    /// The key path of this object that represents the part, while a tracked read of it is pending.
    weak var place: KeyPath<StateObservation, Void>?
  }

  private struct Parts {
    var all: [Part] = []
    var added = 0
    /// The number of parts at which those without a pending read are removed.
    var limit = 16
  }

  let rows: RowTracking
  private let line: PendingChanges
  private let registrar = ObservationRegistrar()
  private let parts = Mutex(Parts())
  /// The key path that represents the state as a whole. It is created once, because creating a key
  /// path takes longer than a read.
  private let whole: any KeyPath<StateObservation, Void> & Sendable = \.[TrackingProbe()]
  /// A key path that is never notified; it only detects whether the current reads are tracked.
  private let probe: any KeyPath<StateObservation, Void> & Sendable = \.[probe: TrackingProbe()]

  init(_ line: PendingChanges) {
    self.line = line
    rows = RowTracking(line)
  }

  /// The number of listed parts.
  var partCount: Int { parts.withLock { $0.all.count } }

  /// The targets of key paths; never read.
  private subscript(number: Int) -> Void { () }
  private subscript(whole: TrackingProbe) -> Void { () }
  private subscript(probe probe: TrackingProbe) -> Void { () }

  /// Registers a read of the state as a whole, which follows.
  func willReadState() {
    if TrackingProbe.isNoted({ registrar.access(self, keyPath: whole) }) { line.use() }
  }

  /// Whether Observation tracks the current reads of this thread.
  var isTracked: Bool { TrackingProbe.isNoted { registrar.access(self, keyPath: probe) } }

  /// Registers a read of a part of the state, which follows.
  func willRead<Value>(_ path: any KeyPath<State, Value> & Sendable) {
    if isTracked { willTrack(path) }
  }

  /// Registers a tracked read of a part of the state, which follows.
  func willTrack<Value>(_ path: any KeyPath<State, Value> & Sendable) {
    line.use()
    registrar.access(self, keyPath: place(of: path))
  }

  /// Notifies the tracked reads of changes; must be called without a lock after the new version is
  /// published.
  ///
  /// Changes are processed one after another. A change made by an observer during its notification
  /// is queued, and the notifying thread processes it afterwards. Otherwise an observer that
  /// changes the state that it observes would be called recursively without end.
  func changed(from old: StateVersion<State>, to new: StateVersion<State>) {
    guard line.append(PendingChanges.Change(old: old, new: new)) else { return }
    while let change = line.next() {
      let (old, new) = (change.old.of(State.self).value, change.new.of(State.self).value)
      tell(whole)
      for part in parts.withLock({ $0.all }) {
        if let place = part.place, change.isMerged || !part.isSame(old, new) { tell(place) }
      }
      if change.isMerged {
        rows.mayHaveChanged()
      } else {
        rows.changed(from: change.old, to: change.new)
      }
    }
  }

  private func tell(_ place: KeyPath<StateObservation, Void>) {
    registrar.willSet(self, keyPath: place)
    registrar.didSet(self, keyPath: place)
  }

  private func place<Value>(
    of path: any KeyPath<State, Value> & Sendable
  ) -> KeyPath<StateObservation, Void> {
    while true {
      let (known, added) = parts.withLock { ($0.all, $0.added) }
      // Comparing key paths may run user code, so it happens without the lock.
      if let part = known.first(where: { $0.path == path }) {
        if let place = part.place { return place }
        let place = place(part.number)
        let isThere = parts.withLock { parts in
          guard let index = parts.all.firstIndex(where: { $0.number == part.number }) else {
            return false
          }
          if parts.all[index].place != nil { return false }
          parts.all[index].place = place
          return true
        }
        if isThere { return place }
        continue
      }
      let equality = Equality<Value>()
      let place = place(added)
      let part = Part(
        path: path, number: added,
        isSame: { equality.areSurelyEqual($0[keyPath: path], $1[keyPath: path]) }, place: place)
      let (isAdded, dropped) = parts.withLock { parts -> (Bool, [Part]) in
        guard parts.added == added else { return (false, []) }
        parts.added += 1
        var dropped: [Part] = []
        if parts.all.count >= parts.limit {
          dropped = parts.all
          parts.all = dropped.filter { $0.place != nil }
          parts.limit = max(16, 2 * parts.all.count)
        }
        parts.all.append(part)
        return (true, dropped)
      }
      // Key paths and their captured values are released here, without the lock.
      withExtendedLifetime(dropped) {}
      if isAdded { return place }
    }
  }

  /// Creates a key path. It is an object of its own because its argument is known only at run time.
  @inline(never)
  private func place(_ number: Int) -> KeyPath<StateObservation, Void> { \.[number] }
}
