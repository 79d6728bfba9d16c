import Observation

/// What the Observation framework tracks in place of a store: its state as a whole, and each part
/// of it that has been read by itself.
final class StateObservation<State: Sendable>: Observable, Sendable {
  private struct Part: Sendable {
    let path: any PartialKeyPath<State> & Sendable
    /// What stands for the part in a key path of this object.
    let place: any KeyPath<StateObservation, Void> & Sendable
    let isSame: @Sendable (State, State) -> Bool
  }

  let rows: RowTracking
  private let line: ChangeLine
  private let registrar = ObservationRegistrar()
  private let parts = Protected<[Part]>([])
  /// What stands for the state as a whole; made once, because making a path takes longer than a read.
  private let whole: any KeyPath<StateObservation, Void> & Sendable = \.[ReadProbe()]
  /// Never changes; it is there to find out whether somebody tracks what is read.
  private let probe: any KeyPath<StateObservation, Void> & Sendable = \.[probe: ReadProbe()]

  init(_ line: ChangeLine) {
    self.line = line
    rows = RowTracking(line)
  }

  /// Something for paths to lead to; read by nobody.
  private subscript(number: Int) -> Void { () }
  private subscript(whole: ReadProbe) -> Void { () }
  private subscript(probe probe: ReadProbe) -> Void { () }

  /// Notes that the state as a whole is about to be read.
  func willReadState() {
    if ReadProbe.isNoted({ registrar.access(self, keyPath: whole) }) { line.use() }
  }

  /// Notes that a part of the state is about to be read.
  func willRead<Value>(_ path: any KeyPath<State, Value> & Sendable) {
    guard ReadProbe.isNoted({ registrar.access(self, keyPath: probe) }) else { return }
    line.use()
    registrar.access(self, keyPath: place(of: path))
  }

  /// Tells those who have read what is different now; called without a lock after the swap.
  ///
  /// One change is told at a time: who changes what is just being told is told of that when this is
  /// done, by the thread that tells already. Otherwise an observer that changes what it observes
  /// would be called inside itself without end, because it is let go only when it returns.
  func changed(from old: Snapshot<State>, to new: Snapshot<State>) {
    guard line.append(ChangeLine.Change(old: old, new: new)) else { return }
    while let change = line.next() {
      let (old, new) = (change.old.of(State.self).value, change.new.of(State.self).value)
      tell(whole)
      for part in parts.withLock({ $0 }) where !part.isSame(old, new) { tell(part.place) }
      rows.changed(from: change.old, to: change.new)
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
      let known = parts.withLock { $0 }
      // Comparing paths may run a user's code, so it is done without the lock.
      if let part = known.first(where: { $0.path == path }) { return part.place }
      let equality = Equality<Value>()
      let part = Part(path: path, place: \.[known.count]) { old, new in
        equality.areSurelyEqual(old[keyPath: path], new[keyPath: path])
      }
      let isAdded = parts.withLock { parts in
        guard parts.count == known.count else { return false }
        parts.append(part)
        return true
      }
      if isAdded { return part.place }
    }
  }
}
