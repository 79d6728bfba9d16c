public import EntiaDatabase

/// An entity in a store that is always available: its current value, or its last known value after
/// it has been removed.
///
/// ```swift
/// let book = store.handle(of: inserted, in: \.library)
/// book.value.title                                 // never nil
/// book.isFallback                                  // whether the row has been removed
/// ```
///
/// It observes one row, and is notified only of changes of that row. If the row is inserted again,
/// the handle has its value again.
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

  init(_ id: EntityIdentifier<Entity>, _ row: Derived<Entity?>, last: Entity) {
    self.id = id
    let known = LastKnown(last)
    seen = Derived(
      .map { row in Seen(entity: known.record(row) ?? last, isFallback: row == nil) },
      of: row.source,
      tracking: row.tracking)
  }

  /// The current entity, or its last known value.
  public var value: Entity { seen.value.entity }

  /// Whether the row has been removed, so that ``value`` is its last known value.
  public var isFallback: Bool { seen.value.isFallback }
}

extension EntityHandle: StateObservable {
  /// The type of the observed values: the entity, and whether it still exists.
  public typealias State = Seen

  /// The sequence of values, beginning with the current one. A slow loop skips to the newest value.
  public var states: StoreStates<Seen> { seen.states }
}

/// The last known value, for reading after its removal.
final class LastKnown<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) {
    self.value = Mutex(value)
  }

  /// Stores a value, if there is one, and returns the last known value, if any.
  func record(_ current: Value?) -> Value? {
    guard let current else { return value.withLock { $0 } }
    let replaced = value.withLock { value in
      let replaced = value
      value = current
      return replaced
    }
    withExtendedLifetime(replaced) {}
    return current
  }
}
