import EntiaDatabase

/// A query over a database in a store's state, kept current from what commits change.
///
/// Like other derived values it is computed by whoever looks; the last result is remembered, and
/// brought forward by the changes since.
final class QueryCore<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>:
  StateSource
{
  typealias Fetch = LiveFetch<Storage, Entity>

  private struct Memory {
    let inputVersion: UInt64
    let fetch: Fetch
    let output: Snapshot<[Entity]>
  }

  private let hub: StoreHub
  private let path: any KeyPath<State, Storage> & Sendable
  private let descriptor: FetchDescriptor<Entity>
  private let feed: RowFeed
  private let interest: RowAudience.Interest
  private let memory = Protected<Memory?>(nil)
  private let counted = Protected(Fetch.Work())

  init<Activity>(
    _ core: StoreCore<State, Activity>, _ path: any KeyPath<State, Storage> & Sendable,
    _ descriptor: FetchDescriptor<Entity>
  ) {
    hub = core.hub
    self.path = path
    self.descriptor = descriptor
    feed = core.feed(at: path)
    let id = ObjectIdentifier(feed)
    interest = RowAudience.Interest(
      feed: feed,
      keys: Fetch.dependsOnOneTable(descriptor)
        ? [.table(feed: id, entity: ObjectIdentifier(Entity.self))] : [.database(feed: id)])
  }

  /// What following the query has taken so far.
  var work: Fetch.Work { counted.withLock { $0 } }

  var current: Snapshot<[Entity]> { memory(for: hub.current.of(State.self)).output }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<[Entity]>, _ previous: Snapshot<[Entity]>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<Memory?>(nil)
    if dropsFirst {
      // What came before the first change is known before the change.
      let first = memory(for: hub.current.of(State.self))
      last.withLock { $0 = first }
    }
    return hub.observeStates(on: target, interest: .rows(interest), dropsFirst: dropsFirst) {
      [self] event in
      guard case .state(let snapshot, let before, let rows) = event else { return }
      let former = last.withLock { $0 }
      let state = snapshot.of(State.self)
      let memory = memory(for: state, after: before?.of(State.self), rows, from: former)
      if let former, former.output.version == memory.output.version { return }
      let isSame = former.map { $0.output.value == memory.output.value } ?? false
      // The observer's calls come one at a time, so nobody else has changed `last` meanwhile.
      last.withLock { $0 = memory }
      withExtendedLifetime(former) {}
      if !isSame { receive(memory.output, former?.output) }
    }
  }

  /// The result for a version of the state, brought forward from the newest one that is known.
  private func memory(
    for input: Snapshot<State>, after before: Snapshot<State>? = nil, _ rows: RowChanges? = nil,
    from former: Memory? = nil
  ) -> Memory {
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered }
    let known = [remembered, former].compactMap { $0 }.filter { $0.inputVersion <= input.version }
      .max { $0.inputVersion < $1.inputVersion }
    let result = bring(known, to: input, after: before, rows)
    let outgrown = memory.withLock { memory -> Memory? in
      if let memory, memory.inputVersion >= input.version { return nil }
      let outgrown = memory
      memory = result
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
    return result
  }

  private func bring(
    _ known: Memory?, to input: Snapshot<State>, after before: Snapshot<State>?,
    _ rows: RowChanges?
  ) -> Memory {
    let storage = input.value[keyPath: path]
    guard let known else {
      counted.withLock { $0.fetches += 1 }
      let fetch = Fetch(descriptor, in: storage)
      return Memory(
        inputVersion: input.version, fetch: fetch, output: snapshot(fetch.entities, input))
    }
    var fetch = known.fetch
    var work = Fetch.Work()
    var changes: (since: Storage, set: StorageChangeSet<Storage>)?
    if let before, let set = rows?.changes(of: feed).changeSet as? StorageChangeSet<Storage> {
      changes = (before.value[keyPath: path], set)
    }
    let mayDiffer = fetch.advance(to: storage, changes: changes, work: &work)
    let done = work
    counted.withLock { $0.add(done) }
    guard mayDiffer else {
      return Memory(inputVersion: input.version, fetch: fetch, output: known.output)
    }
    let entities = fetch.entities
    // Keeping the old version tells whatever is derived from this that nothing changed.
    let output = entities == known.output.value ? known.output : snapshot(entities, input)
    return Memory(inputVersion: input.version, fetch: fetch, output: output)
  }

  private func snapshot(_ entities: [Entity], _ input: Snapshot<State>) -> Snapshot<[Entity]> {
    Snapshot(entities, version: input.version, commitName: input.commitName)
  }
}
