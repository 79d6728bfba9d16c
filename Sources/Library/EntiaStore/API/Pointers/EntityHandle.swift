public import EntiaDatabase

/// An entity in a store whose value is always available: the current value, or the last known value
/// after the entity has been removed.
///
/// ```swift
/// let book = store.handle(of: inserted, in: \.library)
/// book.value.title                                 // never nil
/// book.seen.value.isFallback                       // whether the row has been removed
/// ```
///
/// A handle observes one row, and is notified only of changes of that row. If the row is inserted
/// again, the handle has the value of the new row.
public final class EntityHandle<Entity: EntityType>: Sendable {
  /// An entity, and whether it still exists.
  public struct Seen: Equatable, Sendable {
    /// The current entity, or its last known value.
    public let entity: Entity
    /// Whether the row has been removed, so that the entity is its last known value.
    public let isFallback: Bool
  }

  /// The ID of the entity.
  public let id: EntityIdentifier<Entity>
  /// The entity and whether it still exists, as a derived value.
  public let seen: Derived<Seen>

  // Computes `seen` after each change, so that the last known value is recorded even if it is never
  // read.
  private let subscription: StoreSubscription

  init(_ id: EntityIdentifier<Entity>, _ row: Derived<Entity?>, last: Entity) {
    self.id = id
    let seen = Derived(
      Derivation { row, seen in
        Seen(entity: row ?? seen?.entity ?? last, isFallback: row == nil)
      },
      of: row.source,
      tracking: row.tracking)
    self.seen = seen
    subscription = seen.sinkState(queue: .passthrough) { _ in }
  }

  /// The current entity, or its last known value.
  public var value: Entity { seen.value.entity }
}

extension EntityHandle: StateObservable {
  /// The sequence of values, beginning with the current one. A slow loop skips to the newest value.
  public var states: StoreStates<Seen> { seen.states }
}

extension StorePart {
  /// Returns a handle of an existing entity. The handle keeps the last known value after the entity
  /// is removed.
  /// - Parameters:
  ///   - id: The entity's ID.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A handle whose value is never missing, or `nil` if the entity does not exist.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of id: EntityIdentifier<Entity>, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity>? {
    let row = entity(id, in: path)
    return row.source.current.value.map { EntityHandle(id, row, last: $0) }
  }

  /// Returns a handle of a given entity, existing or not.
  ///
  /// - Parameters:
  ///   - entity: The entity. It is the handle's value while no entity with its ID exists.
  ///   - path: The key path of the database in the state, as in ``entity(_:in:)``.
  /// - Returns: A handle whose value is never missing.
  public func handle<Storage: NormalizedStorageType, Entity: EntityType>(
    of entity: Entity, in path: any KeyPath<State, Storage> & Sendable
  ) -> EntityHandle<Entity> {
    let id = entity.entityID
    return EntityHandle(id, self.entity(id, in: path), last: entity)
  }
}
