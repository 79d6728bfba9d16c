public import EntiaCollections

/// An entity before and after a change.
@frozen
public struct EntityUpdate<Entity: EntityType>: Equatable, Sendable {
  /// The entity as it was.
  public let old: Entity
  /// The entity as it is.
  public let new: Entity

  /// Creates an update of one entity.
  @inlinable
  public init(old: Entity, new: Entity) {
    self.old = old
    self.new = new
  }

  /// The entity's ID.
  @inlinable
  public var entityID: Entity.EntityID { new.entityID }
}

/// How one table differs from an older version of itself.
@frozen
public struct TableChanges<Entity: EntityType>: Sendable {
  /// The entities that the older version had not, in the newer version's order.
  public var inserted: [Entity]
  /// The entities that both versions have and that differ, old and new.
  public var updated: [EntityUpdate<Entity>]
  /// The entities that the newer version lacks, in the older version's order.
  public var removed: [Entity]

  /// Creates changes; each ID may stand in one of the lists, once.
  @inlinable
  public init(
    inserted: [Entity] = [], updated: [EntityUpdate<Entity>] = [], removed: [Entity] = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.removed = removed
  }

  /// Whether nothing changed.
  @inlinable
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }

  /// How many entities changed.
  @inlinable
  public var count: Int { inserted.count + updated.count + removed.count }

  /// The changes that lead back.
  /// - Complexity: O(changes).
  public var inverted: Self {
    Self(
      inserted: removed, updated: updated.map { EntityUpdate(old: $0.new, new: $0.old) },
      removed: inserted)
  }
}

extension Tables.Hash {
  /// Returns how this version differs from an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  @inlinable
  public func changes(since old: Self) -> TableChanges<Entity> {
    var changes = TableChanges<Entity>()
    rows.visitDifferences(
      from: old.rows,
      expect: { inserted, updated, removed in
        changes.inserted.reserveCapacity(inserted)
        changes.updated.reserveCapacity(updated)
        changes.removed.reserveCapacity(removed)
      },
      inserted: { changes.inserted.append($0) },
      updated: { changes.updated.append(EntityUpdate(old: $0, new: $1)) },
      removed: { changes.removed.append($0) })
    return changes
  }
}

extension TableChanges: CustomStringConvertible {
  /// How many entities of which kind changed, as in `Book: 2 inserted, 1 removed`.
  public var description: String {
    let parts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (removed.count, "removed"),
    ]
    let named = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(Entity.entityName): \(named.isEmpty ? "no changes" : named.joined(separator: ", "))"
  }
}
