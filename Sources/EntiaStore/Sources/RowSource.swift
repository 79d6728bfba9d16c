/// The state of a store for observers of some rows, which are notified of commits that changed one
/// of the rows.
final class RowSource<State: Sendable>: StateSource {
  let hub: StoreHub
  private let rows: RowAudience.Interest

  init(_ hub: StoreHub, _ rows: RowAudience.Interest) {
    self.hub = hub
    self.rows = rows
  }

  var interest: StoreInterest { .rows(rows) }

  func value(at version: SourceVersion) -> Snapshot<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<State>, _ previous: Snapshot<State>?) -> Void
  ) -> StoreSubscription {
    hub.observeStates(on: target, interest: interest, dropsFirst: dropsFirst) { event in
      if case .state(let current, let previous, _) = event {
        receive(current.of(State.self), previous?.of(State.self))
      }
    }
  }
}
