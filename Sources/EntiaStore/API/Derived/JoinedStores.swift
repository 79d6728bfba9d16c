/// Values of several stores, as the state of a small store of their own.
///
/// Its state is a look at the inputs, replaced whenever one of them changes. Each look reads every
/// store in one version, so that values of the same store belong together.
final class JoinedStores<Value: Sendable>: StateSource {
  /// Ends the small store when no store can notify it any more.
  private final class Lifetime: Sendable {
    private let broadcaster: StoreBroadcaster

    init(_ broadcaster: StoreBroadcaster) { self.broadcaster = broadcaster }

    deinit { broadcaster.end() }
  }

  typealias Look =
    @Sendable ([(broadcaster: StoreBroadcaster, current: AnyStateVersion)]) -> CombinedLook<Value>

  private let core: StoreCore<CombinedLook<Value>, Never>
  private let refreshCore: @Sendable () -> Void
  private let subscriptions = Mutex<[StoreSubscription]>([])
  /// Held by the observers of the stores once the last input is followed.
  private let lifetime = Mutex<Lifetime?>(nil)

  init(_ hubs: [StoreBroadcaster], look: @escaping Look) {
    let lookNow: @Sendable () -> CombinedLook<Value> = {
      look(hubs.map { (broadcaster: $0, current: $0.current) })
    }
    let core = StoreCore<CombinedLook<Value>, Never>(
      initialState: lookNow(), undoDepth: 0, hooks: CommitHooks(middleware: [], logger: nil),
      equality: Equality { $0.versions == $1.versions })
    self.core = core
    // Looks are made under the commit lock of the small store, so that a later one never has an earlier state.
    refreshCore = { core.commit(CommitMetadata()) { $0 = lookNow() } }
    lifetime.withLock { $0 = Lifetime(core.broadcaster) }
  }

  var broadcaster: StoreBroadcaster { core.broadcaster }
  var interest: ObservedRegion { .states }

  /// Replaces the look whenever an input changes.
  func follow(_ input: any StateSource) {
    func observe(_ input: some StateSource) -> StoreSubscription {
      let (refresh, lifetime) = (refreshCore, lifetime.withLock { $0 })
      return input.observe(on: .passthrough, dropsFirst: true) { _, _ in
        withExtendedLifetime(lifetime, refresh)
      }
    }
    let subscription = observe(input)
    subscriptions.withLock { $0.append(subscription) }
  }

  /// Replaces the look if an input has changed; called when every input is followed.
  func refresh() {
    let own = lifetime.withLock { $0.take() }
    withExtendedLifetime(own) {}
    refreshCore()
  }

  func value(at version: SourceVersion) -> StateVersion<CombinedLook<Value>> {
    version.current.of(CombinedLook<Value>.self)
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive:
      @escaping @Sendable (
        StateVersion<CombinedLook<Value>>, _ previous: StateVersion<CombinedLook<Value>>?
      ) -> Void
  ) -> StoreSubscription {
    core.observe(on: target, dropsFirst: dropsFirst, receive: receive)
  }
}
