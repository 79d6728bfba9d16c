public import EntiaDatabase

/// An entity in a store that can always be shown: as it is, or as it was last seen once it is gone.
///
/// ```swift
/// let book = store.handle(of: inserted, in: \.library)
/// book.value.title                                 // never nil
/// book.isFallback                                  // whether the row is gone
/// ```
///
/// It follows one row, and is woken only by that. When the row comes back, it is shown again.
public final class EntityHandle<Entity: EntityType>: Sendable {
  /// An entity, and whether it is still there.
  public struct Seen: Equatable, Sendable {
    /// The entity as it is, or as it was last seen.
    public let entity: Entity
    /// Whether the row is gone, so that this is what it was last seen as.
    public let isFallback: Bool
  }

  /// The ID of the entity.
  public let id: EntityIdentifier<Entity>
  /// The entity and whether it is still there, as a value to be observed and derived from.
  public let seen: Derived<Seen>

  init(_ id: EntityIdentifier<Entity>, _ row: Derived<Entity?>, last: Entity) {
    self.id = id
    let last = LastKnown(last)
    seen = Derived(
      .map { row in Seen(entity: last.note(row), isFallback: row == nil) }, of: row.source,
      tracking: row.tracking)
  }

  /// The entity as it is, or as it was last seen.
  public var value: Entity { seen.value.entity }

  /// Whether the row is gone, so that ``value`` is what it was last seen as.
  public var isFallback: Bool { seen.value.isFallback }

  /// Calls a closure on the main actor with the entity and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: MainActorQueue = .main, dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<Seen>) -> Void
  ) -> StoreSubscription {
    seen.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }

  /// Calls a closure on a queue with the entity and after each change of it.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState(
    queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<Seen>) -> Void
  ) -> StoreSubscription {
    seen.sinkState(queue: queue, dropsFirst: dropsFirst, receive: receive)
  }
}
