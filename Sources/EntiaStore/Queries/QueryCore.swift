import EntiaCollections
import EntiaDatabase

/// A query over a database in a store's state, kept current from what commits change.
///
/// Like other derived values it is computed by whoever looks; the last result is remembered, and
/// brought forward by the changes since.
final class QueryCore<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>:
  QuerySource
{
  typealias Fetch = LiveFetch<Storage, Entity>

  private struct Memory {
    let inputVersion: UInt64
    var fetch: Fetch
    let output: Snapshot<[Entity]>
    /// The version of a result from which this one surely differs.
    var differsFrom: UInt64?
    /// How it differs from that one.
    var step: LiveFetchStep?
  }

  let hub: StoreHub
  let interest: StoreInterest
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let descriptor: FetchDescriptor<Entity>
  private let feed: RowFeed
  /// Whether it is told only of rows with some values in a field.
  private let isRouted: Bool
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
    let route = descriptor.liveRoute
    isRouted = route != nil
    let keys: [RowKey] =
      if let route {
        feed.keys(of: route, at: path)
      } else {
        descriptor.entityTypes.map { .table(feed: id, entity: $0) }
      }
    interest = .rows(RowAudience.Interest(feeds: [feed], keys: keys))
  }

  /// What following the query has taken so far.
  var work: Fetch.Work { counted.withLock { $0 } }

  func value(at version: SourceVersion) -> Snapshot<[Entity]> {
    memory(for: version, from: nil).output
  }

  func step(
    from old: Snapshot<[Entity]>, to new: Snapshot<[Entity]>
  ) -> LiveFetchStep? {
    memory.withLock { memory in
      guard let memory, memory.output === new, memory.differsFrom == old.version else { return nil }
      return memory.step
    }
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<[Entity]>, _ previous: Snapshot<[Entity]>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<(memory: Memory, isInOrder: Bool)?>(nil)
    if dropsFirst {
      // What came before the first change is known before the change; but there may be a commit
      // before the observer is added, of which it is not told.
      let first = memory(for: SourceVersion(current: hub.current), from: nil)
      last.withLock { $0 = (first, false) }
    }
    return hub.observeStates(on: target, interest: interest, dropsFirst: dropsFirst) {
      [self] event in
      guard case .state(let snapshot, let before, let rows) = event else { return }
      let former = last.withLock { $0 }
      var known = former?.memory
      if isRouted, former?.isInOrder == true, let before {
        // It has been told of everything that concerns it; what came meanwhile does not.
        known?.fetch.assumeUnchanged(in: before.of(State.self).value[keyPath: path])
      }
      let version = SourceVersion(current: snapshot, before: before, rows: rows)
      let memory = memory(for: version, from: known)
      // The observer's calls come one at a time, so nobody else has changed `last` meanwhile.
      last.withLock { $0 = (memory, true) }
      guard let output = former?.memory.output else { return receive(memory.output, nil) }
      if output.version == memory.output.version { return }
      if memory.differsFrom != output.version,
        haveSameElements(output.value, memory.output.value)
      {
        return
      }
      receive(memory.output, output)
    }
  }

  /// The result for a version of the state, brought there from what is known.
  ///
  /// - Parameter former: What an observer was told last, or a result that is known to be right just
  ///   before the version.
  private func memory(for version: SourceVersion, from former: Memory?) -> Memory {
    let input = version.current.of(State.self)
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered }
    let result = bring(former ?? remembered, to: input, version)
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
    _ known: Memory?, to input: Snapshot<State>, _ version: SourceVersion
  ) -> Memory {
    let storage = input.value[keyPath: path]
    guard let known else {
      counted.withLock { $0.fetches += 1 }
      let fetch = Fetch(descriptor, in: storage)
      return Memory(
        inputVersion: input.version, fetch: fetch, output: Snapshot(fetch.entities, of: input))
    }
    var fetch = known.fetch
    var work = Fetch.Work()
    var changes: (since: Storage, set: StorageChangeSet<Storage>)?
    if let before = version.before,
      let set = version.rows?.changes(of: feed).changeSet as? StorageChangeSet<Storage>
    {
      changes = (before.of(State.self).value[keyPath: path], set)
    }
    let outcome = fetch.advance(to: storage, changes: changes, work: &work)
    let done = work
    counted.withLock { $0.add(done) }
    let entities = outcome == .same ? known.output.value : fetch.entities
    if outcome == .same
      || outcome == .uncertain && haveSameElements(entities, known.output.value)
    {
      // Keeping the old version tells whatever is derived from this that nothing changed.
      return Memory(
        inputVersion: input.version, fetch: fetch, output: known.output,
        differsFrom: known.differsFrom, step: known.step)
    }
    return Memory(
      inputVersion: input.version, fetch: fetch, output: Snapshot(entities, of: input),
      differsFrom: known.output.version, step: fetch.step)
  }
}
