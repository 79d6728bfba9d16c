/// The state of a store for observers of some rows, which are notified of commits that changed one
/// of the rows.
final class RowSource<State: Sendable>: StateSource {
  let broadcaster: StoreBroadcaster
  private let rows: RowObserverIndex.ObservedRows
  private let describe: @Sendable () -> String

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - broadcaster: The broadcaster of the store.
  ///   - rows: The rows.
  ///   - describe: Returns the rows in words, for an inspection.
  init(
    _ broadcaster: StoreBroadcaster, _ rows: RowObserverIndex.ObservedRows,
    describe: @escaping @Sendable () -> String
  ) {
    self.broadcaster = broadcaster
    self.rows = rows
    self.describe = describe
  }

  var subject: String { describe() }

  var observedRegion: ObservedRegion { .rows(rows) }

  func value(at version: SourceVersion) -> StateVersion<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (StateVersion<State>, _ previous: StateVersion<State>?) -> Void
  ) -> StoreSubscription {
    broadcaster.observeStates(
      on: target, observedRegion: observedRegion, of: self, dropsFirst: dropsFirst
    ) { event in
      if case .state(let current, let previous, _) = event {
        receive(current.of(State.self), previous?.of(State.self))
      }
    }
  }
}
