import EntiaDatabase

/// A function of a database that returns the rows that it read. Its observers are notified only of
/// changes of those rows.
final class ReadCore<State: Sendable, Storage: NormalizedStorageType, Value: Sendable>:
  StateSource
{
  typealias Read = @Sendable (Storage) -> (value: Value, keys: [RowKey])

  private struct Memory {
    let inputVersion: UInt64
    let output: Snapshot<Value>
    let keys: [RowKey]
  }

  let hub: StoreHub
  /// The interest of observers of values derived from this one: everything that may ever be read.
  let interest: StoreInterest
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let read: Read
  private let equality = Equality<Value>()
  private let memory = Protected<Memory?>(nil)

  init(
    hub: StoreHub, at path: any KeyPath<State, Storage> & Sendable, _ all: RowAudience.Interest,
    read: @escaping Read
  ) {
    self.hub = hub
    self.path = path
    self.read = read
    interest = .rows(all)
  }

  func value(at version: SourceVersion) -> Snapshot<Value> {
    memory(for: version.current.of(State.self)).output
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<Snapshot<Value>?>(nil)
    return hub.observeReads(on: target, interest: interest, dropsFirst: dropsFirst) {
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

  private func memory(for input: Snapshot<State>) -> Memory {
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered }
    let (value, keys) = read(input.value[keyPath: path])
    var output = Snapshot(value, of: input)
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

  private func isSame(_ first: Snapshot<Value>, _ second: Snapshot<Value>) -> Bool {
    first.version == second.version || equality.areSurelyEqual(first.value, second.value)
  }
}
