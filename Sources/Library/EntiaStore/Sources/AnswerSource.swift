import EntiaDatabase

/// The entities of the answer to a request, in the answer's order.
final class AnswerSource<State: Sendable, Storage: NormalizedStorageType, Entity: EntityType>:
  QuerySource
{
  private let rows: ReadSource<State, Storage, [Entity]>

  init(_ rows: ReadSource<State, Storage, [Entity]>) { self.rows = rows }

  var broadcaster: StoreBroadcaster { rows.broadcaster }
  var observedRegion: ObservedRegion { rows.observedRegion }
  var definitions: SharedDefinitions? { rows.definitions }
  var tracking: ValueTracking? { rows.tracking }
  var subject: String { rows.subject }
  var parts: [any ObserverSubject] { [rows] }

  func value(at version: SourceVersion) -> StateVersion<[Entity]> { rows.value(at: version) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive:
      @escaping @Sendable (
        StateVersion<[Entity]>, _ previous: StateVersion<[Entity]>?
      ) -> Void
  ) -> StoreSubscription {
    rows.observe(on: target, dropsFirst: dropsFirst, receive: receive)
  }

  func step(from old: StateVersion<[Entity]>, to new: StateVersion<[Entity]>) -> LiveFetchStep? {
    nil
  }
}
