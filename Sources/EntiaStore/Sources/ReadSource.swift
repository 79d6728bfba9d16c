import EntiaDatabase

/// A function of a database that returns the rows that it read. Its observers are notified only of
/// changes of those rows.
final class ReadSource<State: Sendable, Storage: NormalizedStorageType, Value: Sendable>:
  StateSource
{
  typealias Read = @Sendable (Storage) -> (value: Value, keys: [RowKey])

  private struct Memory {
    let inputVersion: UInt64
    let output: StateVersion<Value>
    let keys: [RowKey]
  }

  let broadcaster: StoreBroadcaster
  /// The interest of observers of values derived from this one: everything that may ever be read.
  let interest: ObservedRegion
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let read: Read
  private let equality = Equality<Value>()
  private let memory = Mutex<Memory?>(nil)

  init(
    broadcaster: StoreBroadcaster, at path: any KeyPath<State, Storage> & Sendable,
    _ all: RowObserverIndex.ObservedRows,
    read: @escaping Read
  ) {
    self.broadcaster = broadcaster
    self.path = path
    self.read = read
    interest = .rows(all)
  }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    memory(for: version.current.of(State.self)).output
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (StateVersion<Value>, _ previous: StateVersion<Value>?) -> Void
  ) -> StoreSubscription {
    let last = Mutex<StateVersion<Value>?>(nil)
    return broadcaster.observeReads(on: target, interest: interest, dropsFirst: dropsFirst) {
      [self] event in
      guard case .state(let snapshot, let before, _) = event else { return nil }
      let known = last.withLock { $0 }
      let previous = known ?? before.map { memory(for: $0.of(State.self)).output }
      let now = memory(for: snapshot.of(State.self))
      let reads = RowReads(keys: now.keys, version: snapshot.version)
      if let previous, isSame(previous, now.output) { return reads }
      // The observer is called for one event at a time, so no other call has changed `last`
      // meanwhile.
      last.withLock { $0 = now.output }
      withExtendedLifetime(known) {}
      receive(now.output, previous)
      return reads
    }
  }

  private func memory(for input: StateVersion<State>) -> Memory {
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered }
    let (value, keys) = read(input.value[keyPath: path])
    var output = StateVersion(value, of: input)
    if let remembered, remembered.inputVersion < input.version,
      equality.areSurelyEqual(remembered.output.value, value)
    {
      // Keeping the old version shows derived values that nothing changed.
      output = remembered.output
    }
    let result = Memory(inputVersion: input.version, output: output, keys: keys)
    let outgrown = memory.withLock { memory -> Memory? in
      if let memory, memory.inputVersion >= input.version { return nil }
      let outgrown = memory
      memory = result
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
    return result
  }

  private func isSame(_ first: StateVersion<Value>, _ second: StateVersion<Value>) -> Bool {
    first.version == second.version || equality.areSurelyEqual(first.value, second.value)
  }
}
