import EntiaDatabase

/// A query over a database in a store's state, updated incrementally from the changes of commits.
///
/// Like other derived values, the result is computed when it is read. The last result is cached.
/// Later reads and calls update a former result by the changes since, or fetch the result again:
/// - The result of an observer's last call remains valid until the next change that affects the
///   result, because the observer is notified of every such change. The next call updates this
///   result.
/// - Without an observer, the cached result is updated while its version of the state is retained
///   elsewhere, for example by the history. The source itself retains no versions of the state.
///
/// If an observer's filter rejects a commit, the cached result is also valid after that commit.
final class LiveSource<State: Sendable, Result: LiveResult>: StateSource {
  typealias Storage = Result.Storage
  typealias Value = Result.Value

  /// A result and the version for which it is valid.
  ///
  /// Sendable although it has a variable: only the initializer writes it.
  private final class Cached: @unchecked Sendable {
    let inputVersion: UInt64
    let result: Result
    /// The boundary of the result. It is stored separately, because reading it from the result
    /// copies the result.
    let boundary: LiveBoundary<Result.Entity>?
    let output: StateVersion<Value>
    /// The version of the state for which the result was computed.
    weak var input: StateVersion<State>?
    /// The version of an earlier output that is known to differ from `output`, if there is one.
    let differsFrom: UInt64?
    /// The difference of `output` from the output whose version is `differsFrom`; `nil` if unknown.
    let step: LiveFetchStep?

    init(
      _ result: Result, output: StateVersion<Value>, in input: StateVersion<State>,
      differsFrom: UInt64? = nil, step: LiveFetchStep? = nil
    ) {
      inputVersion = input.version
      self.result = result
      boundary = result.boundary
      self.output = output
      self.input = input
      self.differsFrom = differsFrom
      self.step = step
    }

    /// Returns the same result for another version. The caller guarantees that no row that differs
    /// between the versions affects the result.
    func moved(to input: StateVersion<State>) -> Cached {
      Cached(result, output: output, in: input, differsFrom: differsFrom, step: step)
    }
  }

  let broadcaster: StoreBroadcaster
  let observedRegion: ObservedRegion
  let definitions: SharedObjects? = SharedObjects()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let descriptor: FetchDescriptor<Result.Entity>
  private let rows: DifferingRows<Storage, Result.Entity>
  private let detector: DatabaseChangeDetector
  /// The keys under which the observers are registered. Every relevant change has at least one of
  /// these keys.
  private let keys: [RowKey]
  /// Whether observers can be registered with a filter in place of `keys`. The filter compares
  /// changed rows with the result's boundary.
  private let isFiltered: Bool
  let equality = Equality<Value>()
  private let cache = LiveCache()

  init(
    _ broadcaster: StoreBroadcaster, _ detector: DatabaseChangeDetector,
    _ path: any KeyPath<State, Storage> & Sendable,
    _ descriptor: FetchDescriptor<Result.Entity>, rows: DifferingRows<Storage, Result.Entity>
  ) {
    self.broadcaster = broadcaster
    self.rows = rows
    self.path = path
    self.descriptor = descriptor
    self.detector = detector
    let id = ObjectIdentifier(detector)
    if let filter = descriptor.equalityFilter {
      let filtered = detector.observedRows(of: filter, at: path)
      keys = filtered.keys
      isFiltered = false
      observedRegion = .rows(filtered)
    } else {
      keys = descriptor.entityTypes.map { .table(detector: id, entity: $0) }
      isFiltered = true
      observedRegion = .rows(RowObserverIndex.ObservedRows(detectors: [detector], keys: keys))
    }
  }

  var work: LiveWork { cache.work }

  var subject: String {
    "\(Value.self == Int.self ? "count" : "query") of \(Result.Entity.entityName) in \(pathName(path))"
  }

  var inspectedQuery: InspectedQuery? {
    let storage = broadcaster.current.of(State.self).value[keyPath: path]
    return InspectedQuery(
      id: ObjectIdentifier(self), subject: subject, explanation: storage.explain(descriptor),
      work: work)
  }

  func readRows(in version: AnyStateVersion, of database: DatabaseChangeDetector)
    -> [CollectionRoot]
  {
    guard database === detector,
      let entities = value(at: SourceVersion(current: version)).value as? [Result.Entity]
    else { return [] }
    let storage = version.of(State.self).value[keyPath: path]
    return descriptor.roots(ofResult: entities.map { $0.entityID }, in: storage)
  }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    result(for: version, from: nil).output
  }

  /// Returns the positions at which the result `new` differs from the result `old`, or `nil` if the
  /// two results have to be compared.
  func step(from old: StateVersion<Value>, to new: StateVersion<Value>) -> LiveFetchStep? {
    guard let last = lastCached, last.output === new, last.differsFrom == old.version else {
      return nil
    }
    return last.step
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool, receive: @escaping ValueReceiver<Value>
  ) -> StoreSubscription {
    let last = Mutex<Cached?>(nil)
    // The first event is used even if `dropsFirst`, to compute the result before the first change.
    return broadcaster.observe(
      on: target, observedRegion: observedRegion, of: self, dropsFirst: false
    ) { [self] event in
      guard case .state(let current, let before, let rows) = event else { return nil }
      let former = last.withLock { $0 }
      let version = SourceVersion(current: current, before: before, rows: rows)
      let result = result(for: version, from: former)
      // The observer is called for one event at a time, so no other call has changed `last`
      // meanwhile.
      last.withLock { $0 = result }
      // The previous result is released without the lock.
      withExtendedLifetime(former) {}
      let reads = reads(of: result, at: current.version, after: former)
      guard let output = former?.output else {
        if !dropsFirst { receive(result.output, nil) }
        return reads
      }
      if output.version == result.output.version { return reads }
      if result.differsFrom != output.version,
        equality.areSurelyEqual(output.value, result.output.value)
      {
        return reads
      }
      receive(result.output, output)
      return reads
    }
  }

  /// Returns the keys or the filter under which the observer is registered for later changes, or
  /// `nil` if they are the same as before.
  private func reads(of cached: Cached, at version: UInt64, after former: Cached?) -> RowReads? {
    // An observer that is registered for values of a field needs no filter: its keys never change.
    guard isFiltered else { return nil }
    guard let boundary = cached.boundary else {
      return former?.boundary == nil ? nil : RowReads(keys: keys, version: version)
    }
    if let former = former?.boundary, former === boundary { return nil }
    // This source is not captured, because the store retains the filter.
    let filter: RowChangeFilter = { [rows, detector, cache] comparison in
      var work = LiveWork()
      let isAffected = rows.contains(
        from: detector.version(in: comparison.old), to: detector.version(in: comparison.new),
        changes: { comparison.changeSet(of: detector) as? StorageChangeSet<Storage> },
        where: { boundary.mayContain($0, &work) })
      if isAffected {
        cache.add(work)
        Self.hold(comparison.old.of(State.self), in: cache, boundary)
      } else {
        cache.move(from: comparison.old.version, to: comparison.new.version, boundary, work)
      }
      return isAffected
    }
    return RowReads(filter: filter, version: version)
  }

  /// Moves the cached result to the last version for which it is valid. A read of a later version
  /// can then update the result even if the version for which it was computed has been released.
  private static func hold(
    _ last: StateVersion<State>, in cache: LiveCache, _ boundary: LiveBoundary<Result.Entity>
  ) {
    guard let latest = cache.latest, latest.inputVersion == last.version,
      latest.boundary === boundary
    else { return }
    let cached = Self.cached(latest)
    if cached.inputVersion == last.version { return }
    cache.replace(latest, by: Self.latest(cached.moved(to: last)))
  }

  private var lastCached: Cached? { cache.latest.map(Self.cached) }

  /// Returns the result with its type. Only this source stores results in its cache.
  private static func cached(_ latest: LiveCache.Latest) -> Cached {
    unsafeDowncast(latest.result, to: Cached.self)
  }

  private static func latest(_ cached: Cached) -> LiveCache.Latest {
    LiveCache.Latest(
      result: cached, boundary: cached.boundary, inputVersion: cached.inputVersion)
  }

  /// Returns the result for a version of the state, updated from a cached result if possible.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - former: The result of an observer's last call. The observer has been notified of every
  ///     later change that affects the result.
  private func result(for version: SourceVersion, from former: Cached?) -> Cached {
    let input = version.current.of(State.self)
    let latest = cache.latest
    let last = latest.map(Self.cached)
    if let latest, let last, latest.inputVersion == input.version { return last }
    let result: Cached
    if let former, let base = base(of: former, before: version.before) {
      result = advance(former, from: base, to: input, version)
    } else if let last, let base = base(of: last, before: nil) {
      result = advance(last, from: base, to: input, version)
    } else {
      result = fetch(in: input, after: former ?? last)
    }
    cache.store(Self.latest(result))
    return result
  }

  /// Returns a version of the database in which the result of `cached` is valid, if there is one.
  /// For an observer that receives a change, `before` is the version before the change.
  private func base(of cached: Cached, before: AnyStateVersion?) -> Storage? {
    // The result of `cached` is also valid in `before`. If a change between the version of `cached`
    // and `before` had affected the rows of the result or their order, the observer would have
    // received the change.
    let version = before?.of(State.self) ?? cached.input
    return version?.value[keyPath: path]
  }

  private func fetch(in input: StateVersion<State>, after former: Cached?) -> Cached {
    var work = LiveWork()
    work.fetches = 1
    cache.add(work)
    let result = Result(descriptor, in: input.value[keyPath: path])
    let output = equality.version(
      of: result.value, for: input, last: former?.output, computedFor: former?.inputVersion)
    return Cached(result, output: output, in: input)
  }

  private func advance(
    _ known: Cached, from base: Storage, to input: StateVersion<State>, _ version: SourceVersion
  ) -> Cached {
    let storage = input.value[keyPath: path]
    var result = known.result
    var work = LiveWork()
    var changes: LiveChanges<Storage>?
    if let before = version.before,
      let set = version.rows?.changeSet(of: detector) as? StorageChangeSet<Storage>
    {
      changes = LiveChanges(since: before.of(State.self).value[keyPath: path], set: set)
    }
    let outcome = result.advance(
      from: base, to: storage, changes: changes, rows: rows, work: &work)
    cache.add(work)
    let value = outcome == .same ? known.output.value : result.value
    if outcome == .same
      || outcome == .uncertain && equality.areSurelyEqual(value, known.output.value)
    {
      // The old version number is kept, so that values derived from this result remain valid.
      return Cached(
        result, output: known.output, in: input, differsFrom: known.differsFrom, step: known.step)
    }
    return Cached(
      result, output: StateVersion(value, of: input), in: input, differsFrom: known.output.version,
      step: result.step)
  }
}

typealias LiveQuerySource<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType> =
  LiveSource<State, LiveFetch<Storage, Entity>>

typealias LiveCountSource<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType> =
  LiveSource<State, LiveCount<Storage, Entity>>

/// The cache of a live query: its last result, the last version of the state for which the result
/// is known to be valid, and the work of the query.
///
/// The class is not generic, because looking up types at run time would take longer than the
/// comparison of the rows. Every commit that a filter rejects updates the cache.
final class LiveCache: Sendable {
  /// A result, and the last version of the state for which it is known to be valid.
  struct Latest: Sendable {
    let result: any AnyObject & Sendable
    /// The boundary of the result, by which filters identify the result.
    let boundary: (any AnyObject & Sendable)?
    /// The number of the last version for which `result` is known to be valid. A weak reference to
    /// the version would make every later retain of the version slower.
    var inputVersion: UInt64
  }

  private struct Contents {
    var latest: Latest?
    var work = LiveWork()
  }

  private let contents = Mutex(Contents())

  var latest: Latest? { contents.withLock { $0.latest } }

  var work: LiveWork { contents.withLock { $0.work } }

  func add(_ work: LiveWork) { contents.withLock { $0.work.add(work) } }

  /// Stores a result, unless there is already one for the same or a later version.
  func store(_ result: Latest) {
    contents.release { contents -> Latest? in
      if let known = contents.latest, known.inputVersion >= result.inputVersion { return nil }
      defer { contents.latest = result }
      return contents.latest
    }
  }

  /// Adds `work` to the work done so far. If the cached result is valid for the version `old` and
  /// has the given boundary (see `Latest`), also records that the result is valid for the later
  /// version `new`.
  func move(from old: UInt64, to new: UInt64, _ boundary: AnyObject, _ work: LiveWork) {
    contents.withLock { contents in
      contents.work.add(work)
      if contents.latest?.inputVersion == old, contents.latest?.boundary === boundary {
        contents.latest?.inputVersion = new
      }
    }
  }

  /// Replaces the cached result `known` by an equal result for the same version. Does nothing if
  /// `known` has been replaced meanwhile.
  func replace(_ known: Latest, by result: Latest) {
    contents.release { contents -> Latest? in
      guard let latest = contents.latest, latest.result === known.result,
        latest.inputVersion == known.inputVersion
      else { return nil }
      contents.latest = result
      return latest
    }
  }
}
