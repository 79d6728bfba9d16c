/// A value derived from a store: always the result of its derivation for the store's state.
///
/// The value is computed when it is first read or delivered, and again only if its input has
/// changed. Observers are called only if the result has changed. Immediately after `commit` has
/// returned, `value` is the new value.
///
/// A derived value does not retain the store: after the store has been released, the derived value
/// keeps its last value. Each subscription to a derived value retains the derived value.
///
/// Tracked by Observation: reading `value` in a tracked scope observes its next change. From its
/// first tracked read on, the value is computed after every commit that may affect it. These
/// computations end when the derived value has been released and no tracked read is pending. A view
/// that reads a derived value should store it in a property. Otherwise each update of the view
/// creates another derived value, which is computed again if its derivation is a closure.
public final class Derived<Value: Sendable>: Sendable {
  let source: any StateSource<Value>
  let tracking: any ReadTracking
  @usableFromInline let reader: ValueReader

  init(_ source: any StateSource<Value>, tracking: (any ReadTracking)? = nil) {
    self.source = source
    let tracking = tracking ?? source.tracking ?? ValueTracking()
    tracking.addHolder()
    self.tracking = tracking
    reader = ValueReader(source, tracking)
  }

  convenience init<Input>(
    _ derivation: Derivation<Input, Value>, of source: any StateSource<Input>,
    tracking: (any ReadTracking)? = nil
  ) {
    self.init(derivation.core(of: source), tracking: tracking)
  }

  deinit { tracking.removeHolder() }

  /// The current value.
  ///
  /// - Complexity: O(1), without a call of the derivation, while the source is unchanged.
  @inlinable public var value: Value {
    // Most reads are of the same version as the previous read.
    guard let known = reader.lockCached() else { return computedValue }
    defer { reader.unlockCached() }
    return known._withUnsafeGuaranteedRef { $0.of(Value.self).value }
  }

  @usableFromInline var computedValue: Value {
    source.trackedValue(tracking)
  }

  /// The current value, under the same name as `Store.state`.
  package var state: Value { value }
}

extension Derived: StateObservable {
  /// The sequence of values, beginning with the current one. A slow loop skips to the newest value.
  public var states: StoreStates<Value> { StoreStates(source) }
}

extension Derived {
  /// Returns a value computed from several inputs: derived values, live queries or stores.
  ///
  /// ```swift
  /// let title = Derived.combined(book, count) { "\($0?.title ?? ""), \($1)" }
  /// ```
  ///
  /// Inputs of one store are always read in the same state: observers never receive the new value
  /// of one input together with the old value of another. If the inputs belong to several stores,
  /// each store is read in its own current state. After a commit to one of the stores has returned,
  /// `value` is then the new value, as for an observer on ``DeliveryQueue/passthrough``, with two
  /// exceptions:
  /// - Several threads commit at the same time.
  /// - An observer has committed. The commit is delivered only after the observer has returned.
  ///
  /// - Parameters:
  ///   - input: The inputs.
  ///   - transform: A closure that computes the combined value. Its result must depend only on its
  ///     arguments.
  /// - Returns: A value that is computed again only when one of the inputs has changed.
  public static func combined<each Input: StateObservable>(
    _ input: repeat each Input,
    by transform: @escaping @Sendable (repeat (each Input).State) -> Value
  ) -> Derived {
    combined(of: repeat (each input).source, by: transform)
  }

  /// Returns a tuple of the values of several inputs, like ``combined(_:by:)``.
  ///
  /// - Parameter input: The inputs.
  /// - Returns: A value that changes whenever one of the inputs changes.
  public static func combined<each Input: StateObservable>(
    _ input: repeat each Input
  ) -> Derived where Value == (repeat (each Input).State) {
    tuple(of: repeat (each input).source)
  }

  private static func tuple<each Part: Sendable>(
    of source: repeat any StateSource<each Part>
  ) -> Derived where Value == (repeat each Part) {
    combined(of: repeat each source) { (part: repeat each Part) in (repeat each part) }
  }

  private static func combined<each Part: Sendable>(
    of source: repeat any StateSource<each Part>,
    by transform: @escaping @Sendable (repeat each Part) -> Value
  ) -> Derived {
    var broadcasters: [StoreBroadcaster] = []
    var regions: [ObservedRegion] = []
    var parts: [any ObserverSubject] = []
    for source in repeat each source {
      if !broadcasters.contains(where: { $0 === source.broadcaster }) {
        broadcasters.append(source.broadcaster)
      }
      regions.append(source.observedRegion)
      parts.append(source)
    }
    let read: @Sendable ((StoreBroadcaster) -> SourceVersion) -> CombinedInputs<Value> = { root in
      let inputs = (repeat (each source).value(at: root((each source).broadcaster)))
      var versions: [UInt64] = []
      for input in repeat each inputs { versions.append(input.version) }
      return CombinedInputs(versions: versions) { transform(repeat (each inputs).value) }
    }
    if broadcasters.count == 1 {
      return Derived(
        CombinedSource(broadcaster: broadcasters[0], regions: regions, of: parts) { version in
          read { _ in version }
        })
    }
    let joined = JoinedStores<Value>(broadcasters) { states in
      read { broadcaster in
        SourceVersion(
          current: states.first { $0.broadcaster === broadcaster }?.current ?? broadcaster.current)
      }
    }
    for source in repeat each source { joined.observe(source) }
    joined.refresh()
    return Derived(.map { $0.combine() }, of: joined)
  }
}

extension StorePart {
  /// Returns a pointer to a value that is computed from the state and can be written back to it.
  ///
  /// ```swift
  /// let celsius = store.derived(
  ///   get: { ($0.fahrenheit - 32) / 1.8 }, set: { $0.fahrenheit = $1 * 1.8 + 32 })
  /// celsius.value = 20
  /// ```
  ///
  /// - Parameters:
  ///   - get: A closure that computes the value.
  ///   - set: A closure that changes the state so that `get` returns the new value.
  /// - Returns: A pointer; each write is a commit.
  public func derived<Output: Sendable>(
    get: @escaping @Sendable (State) -> Output,
    set: @escaping @Sendable (inout State, Output) -> Void
  ) -> Ref<Output> {
    ref(\.self).map(get: get, set: set)
  }
}

/// A source that combines values of several stores in an internal store.
///
/// The state of the internal store consists of the inputs. All inputs are read again whenever one
/// of them changes. Each store is read in one version, so that values of the same store are
/// consistent.
final class JoinedStores<Value: Sendable>: StateSource {
  /// Ends the internal store when no input can notify it any more.
  private final class Lifetime: Sendable {
    private let broadcaster: StoreBroadcaster

    init(_ broadcaster: StoreBroadcaster) { self.broadcaster = broadcaster }

    deinit { broadcaster.end() }
  }

  typealias Read =
    @Sendable ([(broadcaster: StoreBroadcaster, current: AnyStateVersion)]) -> CombinedInputs<Value>

  private let core: StoreCore<CombinedInputs<Value>, Never>
  private let refreshCore: @Sendable () -> Void
  private let subscriptions = Mutex<[StoreSubscription]>([])
  /// The lifetime of the internal store, until every input is observed; `nil` afterwards. From then
  /// on, only the observers of the inputs retain the lifetime.
  private let lifetime = Mutex<Lifetime?>(nil)

  init(_ broadcasters: [StoreBroadcaster], read: @escaping Read) {
    let readNow: @Sendable () -> CombinedInputs<Value> = {
      read(broadcasters.map { (broadcaster: $0, current: $0.current) })
    }
    let core = StoreCore<CombinedInputs<Value>, Never>(
      initialState: readNow(), undoDepth: 0, hooks: CommitHooks(middleware: [], logger: nil),
      equality: Equality { $0.versions == $1.versions })
    self.core = core
    // The inputs are read under the commit lock of the internal store, so that a commit never
    // replaces the value of an input by an earlier value.
    refreshCore = {
      core.commit(CommitRequest(at: "a refresh of joined stores")) { $0 = readNow() }
    }
    lifetime.withLock { $0 = Lifetime(core.broadcaster) }
  }

  var subject: String { "values of several stores" }
  var broadcaster: StoreBroadcaster { core.broadcaster }
  var observedRegion: ObservedRegion { .states }

  /// Subscribes to an input, and reads all inputs again whenever it changes.
  func observe(_ input: any StateSource) {
    func subscribe(to input: some StateSource) -> StoreSubscription {
      let (refresh, lifetime) = (refreshCore, lifetime.withLock { $0 })
      return input.observe(on: .passthrough, dropsFirst: true) { _, _ in
        withExtendedLifetime(lifetime, refresh)
      }
    }
    let subscription = subscribe(to: input)
    subscriptions.withLock { $0.append(subscription) }
  }

  /// Reads the inputs again, because an input may have changed before it was observed. Called once,
  /// after every input is observed.
  func refresh() {
    lifetime.release { $0.take() }
    refreshCore()
  }

  func value(at version: SourceVersion) -> StateVersion<CombinedInputs<Value>> {
    version.current.of(CombinedInputs<Value>.self)
  }
}
