/// What becomes of an entity that is there when a payload brings another one with its ID: a payload
/// of a list need not erase what a payload of details brought.
///
/// ```swift
/// context.modifying.books.insert(payload, merging: .fillingMissing(\.summary, \.cover))
/// context.modifying.books.insert(payload, merging: .fields(\.title, \.year))
/// context.modifying.books.insert(payload, merging: .newer(by: \.updatedAt))
/// context.modifying.books.insert(payload, merging: MergePolicy { old, new in … })
/// ```
///
/// An entity that is not there yet is inserted as it comes.
public struct MergePolicy<Entity: EntityType>: Sendable {
  @usableFromInline let combine: @Sendable (_ existing: Entity, _ incoming: Entity) -> Entity

  /// Creates a policy.
  /// - Parameter combine: returns what is to be stored, with the ID that both have.
  public init(
    _ combine: @escaping @Sendable (_ existing: Entity, _ incoming: Entity) -> Entity
  ) {
    self.combine = combine
  }

  /// Returns what is to be stored.
  /// - Parameters:
  ///   - existing: the entity that is there.
  ///   - incoming: the entity that comes.
  @inlinable
  public func merged(_ existing: Entity, with incoming: Entity) -> Entity {
    combine(existing, incoming)
  }

  /// The incoming entity replaces the other, as a plain insert has it.
  public static var replace: Self { Self { _, incoming in incoming } }

  /// The entity that is there stays as it is.
  public static var keepExisting: Self { Self { existing, _ in existing } }

  /// Only these fields are taken from the incoming entity.
  public static func fields<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> Self {
    let copies = EntityField.list(repeat each fields)
    return Self { existing, incoming in
      var result = existing
      for field in copies { field.copy(incoming, &result) }
      return result
    }
  }

  /// The incoming entity replaces the other but for these fields, which stay as they are.
  public static func keeping<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> Self {
    let copies = EntityField.list(repeat each fields)
    return Self { existing, incoming in
      var result = incoming
      for field in copies { field.copy(existing, &result) }
      return result
    }
  }

  /// The incoming entity replaces the other, but where it has `nil` in one of these fields, the
  /// value that is there is kept.
  public static func fillingMissing<each Value>(
    _ fields: repeat any WritableKeyPath<Entity, (each Value)?> & Sendable
  ) -> Self {
    var copies: [@Sendable (Entity, inout Entity) -> Void] = []
    for field in repeat each fields {
      copies.append { existing, result in
        if result[keyPath: field] == nil { result[keyPath: field] = existing[keyPath: field] }
      }
    }
    let all = copies
    return Self { existing, incoming in
      var result = incoming
      for copy in all { copy(existing, &result) }
      return result
    }
  }

  /// An incoming entity that is older than the other by a field is passed over; one that is not is
  /// merged by another policy.
  /// - Parameters:
  ///   - field: what says how new an entity is; of equals the incoming one counts as newer.
  ///   - policy: what is done with one that is not older.
  public static func newer<Value: Comparable & Sendable>(
    by field: any KeyPath<Entity, Value> & Sendable, merging policy: Self = .replace
  ) -> Self {
    Self { existing, incoming in
      if incoming[keyPath: field] < existing[keyPath: field] { return existing }
      return policy.merged(existing, with: incoming)
    }
  }

  /// Returns the policy that does what this one does and then what another one does with the result.
  /// - Parameter next: is given the entity that is there and what this policy made of both.
  public func then(_ next: Self) -> Self {
    Self { existing, incoming in
      next.merged(existing, with: merged(existing, with: incoming))
    }
  }
}
