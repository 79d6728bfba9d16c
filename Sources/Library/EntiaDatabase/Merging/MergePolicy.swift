/// A rule that merges an incoming entity, for example from a payload, with the existing entity that
/// has the same ID. For example, a policy can keep the fields of a detailed payload when the
/// shorter payload of a list arrives.
///
/// ```swift
/// context.modifying.books.insert(payload, merging: .fillingMissing(\.summary, \.cover))
/// context.modifying.books.insert(payload, merging: .fields(\.title, \.year))
/// context.modifying.books.insert(payload, merging: .newer(by: \.updatedAt))
/// context.modifying.books.insert(payload, merging: .merge { old, new in … })
/// ```
///
/// An entity whose ID is not in the table is inserted unchanged. `insert(_:onConflict:)` applies a
/// policy to two entities that have the same unique key.
public struct MergePolicy<Entity: EntityType>: Sendable {
  @usableFromInline let combine: @Sendable (_ existing: Entity, _ incoming: Entity) -> Entity

  /// Creates a policy.
  /// - Parameter combine: Returns the entity to store, which must have the ID of `existing` or
  ///   `incoming`. Only `insert(_:onConflict:)` merges entities with different IDs.
  public init(
    _ combine: @escaping @Sendable (_ existing: Entity, _ incoming: Entity) -> Entity
  ) {
    self.combine = combine
  }

  /// Returns the entity to store.
  /// - Parameters:
  ///   - existing: The entity in the table.
  ///   - incoming: The entity to insert.
  @inlinable
  package func merged(_ existing: Entity, with incoming: Entity) -> Entity {
    combine(existing, incoming)
  }

  /// Replaces the existing entity by the incoming one, like a plain insertion.
  public static var replace: Self { Self { _, incoming in incoming } }

  /// Keeps the existing entity.
  public static var keep: Self { Self { existing, _ in existing } }

  /// Returns a policy that merges by a function.
  /// - Parameter combine: Returns the entity to store, which must have the ID of `existing` or
  ///   `incoming`. Only `insert(_:onConflict:)` merges entities with different IDs.
  public static func merge(
    _ combine: @escaping @Sendable (_ existing: Entity, _ incoming: Entity) -> Entity
  ) -> Self { Self(combine) }

  /// Returns a policy that changes the existing entity by a function.
  /// - Parameter combine: Copies values of the incoming entity into the existing one.
  public static func merge(
    _ combine: @escaping @Sendable (_ existing: inout Entity, _ incoming: Entity) -> Void
  ) -> Self {
    Self { existing, incoming in
      var result = existing
      combine(&result, incoming)
      return result
    }
  }

  /// Returns a policy that copies only these fields from the incoming entity.
  public static func fields<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> Self {
    var copies: [FieldCopy] = []
    for field in repeat each fields { copies.append { $1[keyPath: field] = $0[keyPath: field] } }
    return Self { [copies] in copied(copies, from: $1, to: $0) }
  }

  /// Returns a policy that replaces the existing entity, but keeps the existing values of these
  /// fields.
  public static func keeping<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> Self {
    var copies: [FieldCopy] = []
    for field in repeat each fields { copies.append { $1[keyPath: field] = $0[keyPath: field] } }
    return Self { [copies] in copied(copies, from: $0, to: $1) }
  }

  /// Returns a policy that replaces the existing entity. A field in `fields` that is `nil` in the
  /// incoming entity keeps its existing value.
  public static func fillingMissing<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, (each Value)?> & Sendable
  ) -> Self {
    var copies: [FieldCopy] = []
    for field in repeat each fields {
      copies.append { existing, result in
        if result[keyPath: field] == nil { result[keyPath: field] = existing[keyPath: field] }
      }
    }
    return Self { [copies] in copied(copies, from: $0, to: $1) }
  }

  /// Copies a field from one entity to another.
  private typealias FieldCopy = @Sendable (_ source: Entity, _ result: inout Entity) -> Void

  private static func copied(
    _ copies: [FieldCopy], from source: Entity, to target: Entity
  ) -> Entity {
    var result = target
    for copy in copies { copy(source, &result) }
    return result
  }

  /// Returns a policy that ignores incoming entities older than the existing one, and merges all
  /// others by another policy.
  /// - Parameters:
  ///   - field: The field that orders entities by age. If the values are equal, the incoming
  ///     entity counts as newer.
  ///   - policy: The policy for an incoming entity that is not older.
  public static func newer<Value: Comparable & Sendable>(
    by field: any KeyPath<Entity, Value> & Sendable, merging policy: Self = .replace
  ) -> Self {
    Self { existing, incoming in
      if incoming[keyPath: field] < existing[keyPath: field] { return existing }
      return policy.merged(existing, with: incoming)
    }
  }
}

/// An entity type with a merge policy of its own for payloads.
///
/// ```swift
/// extension Book: MergingEntityType {
///   static var mergePolicy: MergePolicy<Book> { .fillingMissing(\.summary) }
/// }
/// context.modifying.books.merge(payload)
/// ```
public protocol MergingEntityType: EntityType {
  /// The policy by which an existing entity is merged with an incoming one.
  static var mergePolicy: MergePolicy<Self> { get }
}
