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
  /// Retained by the observers of the inputs, once the last input is observed.
  private let lifetime = Mutex<Lifetime?>(nil)

  init(_ broadcasters: [StoreBroadcaster], read: @escaping Read) {
    let readNow: @Sendable () -> CombinedInputs<Value> = {
      read(broadcasters.map { (broadcaster: $0, current: $0.current) })
    }
    let core = StoreCore<CombinedInputs<Value>, Never>(
      initialState: readNow(), undoDepth: 0, hooks: CommitHooks(middleware: [], logger: nil),
      equality: Equality { $0.versions == $1.versions })
    self.core = core
    // The inputs are read under the commit lock of the internal store, so that a later commit never
    // has an earlier version of an input.
    refreshCore = {
      core.commit(CommitRequest(at: "a refresh of joined stores")) { $0 = readNow() }
    }
    lifetime.withLock { $0 = Lifetime(core.broadcaster) }
  }

  var subject: String { "values of several stores" }
  var broadcaster: StoreBroadcaster { core.broadcaster }
  var observedRegion: ObservedRegion { .states }

  /// Reads the inputs again whenever an input changes.
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

  /// Reads the inputs again if one has changed; called when every input is observed.
  func refresh() {
    let own = lifetime.withLock { $0.take() }
    withExtendedLifetime(own) {}
    refreshCore()
  }

  func value(at version: SourceVersion) -> StateVersion<CombinedInputs<Value>> {
    version.current.of(CombinedInputs<Value>.self)
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive:
      @escaping @Sendable (
        StateVersion<CombinedInputs<Value>>, _ previous: StateVersion<CombinedInputs<Value>>?
      ) -> Void
  ) -> StoreSubscription {
    core.observe(on: target, dropsFirst: dropsFirst, receive: receive)
  }
}
