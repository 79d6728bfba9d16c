import EntiaDatabase

/// A query over a database in a store's state, kept current from what commits change.
///
/// Like other derived values it is computed when it is read; the last result is remembered, and
/// brought forward by the changes since. It holds results and no versions: an observer of it is
/// notified of everything that concerns it, so its last result belongs to the version before the next
/// change too. A result that is only read is brought forward as long as its version is alive for
/// another reason, such as the history, and fetched anew otherwise.
final class LiveCore<State: Sendable, Result: LiveResult>: StateSource {
  typealias Storage = Result.Storage
  typealias Value = Result.Value

  private struct Memory {
    let inputVersion: UInt64
    var result: Result
    let output: Snapshot<Value>
    /// The version of the state that the result was computed in.
    weak var input: Snapshot<State>?
    /// The version of a result from which this one surely differs.
    var differsFrom: UInt64?
    /// How it differs from that one.
    var step: LiveFetchStep?
  }

  /// A version of the database that a result belongs to.
  private struct Base {
    let storage: Storage
    /// Whether the result was computed in it.
    let isExact: Bool
  }

  let hub: StoreHub
  let interest: StoreInterest
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let descriptor: FetchDescriptor<Result.Entity>
  private let feed: RowFeed
  private let equality = Equality<Value>()
  private let memory = Protected<Memory?>(nil)
  private let counted = Protected(LiveWork())

  init(
    _ hub: StoreHub, _ feed: RowFeed, _ path: any KeyPath<State, Storage> & Sendable,
    _ descriptor: FetchDescriptor<Result.Entity>
  ) {
    self.hub = hub
    self.path = path
    self.descriptor = descriptor
    self.feed = feed
    let id = ObjectIdentifier(feed)
    let keys: [RowKey] =
      if let route = descriptor.liveRoute {
        feed.keys(of: route, at: path)
      } else {
        descriptor.entityTypes.map { .table(feed: id, entity: $0) }
      }
    interest = .rows(RowAudience.Interest(feeds: [feed], keys: keys))
  }

  /// What following the query has taken so far.
  var work: LiveWork { counted.withLock { $0 } }

  func value(at version: SourceVersion) -> Snapshot<Value> {
    memory(for: version, from: nil).output
  }

  /// Where a result differs from the one before; `nil` where they have to be compared.
  func step(from old: Snapshot<Value>, to new: Snapshot<Value>) -> LiveFetchStep? {
    memory.withLock { memory in
      guard let memory, memory.output === new, memory.differsFrom == old.version else { return nil }
      return memory.step
    }
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<Memory?>(nil)
    // The first event is always delivered: what was there before the first change is computed then.
    return hub.observeStates(on: target, interest: interest, dropsFirst: false) { [self] event in
      guard case .state(let snapshot, let before, let rows) = event else { return }
      let former = last.withLock { $0 }
      let version = SourceVersion(current: snapshot, before: before, rows: rows)
      let memory = memory(for: version, from: former)
      // The observer's calls come one at a time, so no other call has changed `last` meanwhile.
      last.withLock { $0 = memory }
      // The former result is released without the lock.
      withExtendedLifetime(former) {}
      guard let output = former?.output else {
        if !dropsFirst { receive(memory.output, nil) }
        return
      }
      if output.version == memory.output.version { return }
      if memory.differsFrom != output.version,
        equality.areSurelyEqual(output.value, memory.output.value)
      {
        return
      }
      receive(memory.output, output)
    }
  }

  /// The result for a version of the state, brought there from what is known.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - former: The result of an observer's last call, which was notified of everything that
  ///     concerns it since.
  private func memory(for version: SourceVersion, from former: Memory?) -> Memory {
    let input = version.current.of(State.self)
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered }
    let result: Memory
    if let former, let base = base(of: former, before: version.before) {
      result = bring(former, from: base, to: input, version)
    } else if let remembered, let base = base(of: remembered, before: nil) {
      result = bring(remembered, from: base, to: input, version)
    } else {
      result = fetch(in: input, after: former ?? remembered)
    }
    let outgrown = memory.withLock { memory -> Memory? in
      if let memory, memory.inputVersion >= input.version { return nil }
      let outgrown = memory
      memory = result
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
    return result
  }

  /// A version that a result belongs to, if there is one: that in which it was computed, or the one
  /// before the change that an observer of it is notified of.
  private func base(of memory: Memory, before: AnySnapshot?) -> Base? {
    if let before, before.version == memory.inputVersion {
      return Base(storage: before.of(State.self).value[keyPath: path], isExact: true)
    }
    if let input = memory.input { return Base(storage: input.value[keyPath: path], isExact: true) }
    guard let before else { return nil }
    return Base(storage: before.of(State.self).value[keyPath: path], isExact: false)
  }

  private func fetch(in input: Snapshot<State>, after former: Memory?) -> Memory {
    counted.withLock { $0.fetches += 1 }
    let result = Result(descriptor, in: input.value[keyPath: path])
    // Keeping the old version shows whatever is derived from this that nothing changed.
    if let former, former.inputVersion < input.version,
      equality.areSurelyEqual(former.output.value, result.value)
    {
      return Memory(
        inputVersion: input.version, result: result, output: former.output, input: input)
    }
    return Memory(
      inputVersion: input.version, result: result, output: Snapshot(result.value, of: input),
      input: input)
  }

  private func bring(
    _ known: Memory, from base: Base, to input: Snapshot<State>, _ version: SourceVersion
  ) -> Memory {
    let storage = input.value[keyPath: path]
    var result = known.result
    var work = LiveWork()
    var changes: LiveChanges<Storage>?
    if let before = version.before,
      let set = version.rows?.changes(of: feed).changeSet as? StorageChangeSet<Storage>
    {
      changes = LiveChanges(since: before.of(State.self).value[keyPath: path], set: set)
    }
    let outcome = result.advance(
      from: base.storage, isExact: base.isExact, to: storage, changes: changes, work: &work)
    let done = work
    counted.withLock { $0.add(done) }
    let value = outcome == .same ? known.output.value : result.value
    if outcome == .same
      || outcome == .uncertain && equality.areSurelyEqual(value, known.output.value)
    {
      // Keeping the old version shows whatever is derived from this that nothing changed.
      return Memory(
        inputVersion: input.version, result: result, output: known.output, input: input,
        differsFrom: known.differsFrom, step: known.step)
    }
    return Memory(
      inputVersion: input.version, result: result, output: Snapshot(value, of: input),
      input: input, differsFrom: known.output.version, step: result.step)
  }
}

/// A query for entities.
typealias QueryCore<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType> =
  LiveCore<State, LiveFetch<Storage, Entity>>

/// A query for their number.
typealias CountCore<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType> =
  LiveCore<State, LiveCount<Storage, Entity>>

extension LiveCore: QuerySource where Value == [Result.Entity] {
  typealias Entity = Result.Entity
}
