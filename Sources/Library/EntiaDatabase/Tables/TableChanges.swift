public import EntiaCollections

/// An entity before and after a change.
@frozen
public struct EntityUpdate<Entity: EntityType>: Equatable, Sendable {
  /// The old value.
  public let old: Entity
  /// The new value.
  public let new: Entity

  @inlinable
  package init(old: Entity, new: Entity) {
    self.old = old
    self.new = new
  }

  /// The entity's ID.
  @inlinable
  public var entityID: Entity.EntityID { new.entityID }

  /// Whether both updates have equal old values and equal new values. A NaN equals a NaN with the
  /// same bits.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    haveSameValue(lhs.old, rhs.old) && haveSameValue(lhs.new, rhs.new)
  }
}

/// The difference between a table and an older version of it.
@frozen
public struct TableChanges<Entity: EntityType>: Sendable {
  /// The entities that are not in the older version, in the newer version's order.
  public var inserted: [Entity]
  /// The entities that are in both versions and differ, with old and new values.
  public var updated: [EntityUpdate<Entity>]
  /// The entities that are not in the newer version, in the older version's order.
  public var removed: [Entity]
  /// The inserted, removed and moved positions; empty for a `Tables.Hash`.
  @usableFromInline package var order: TableOrderChanges<Entity>

  /// Creates changes. An ID may appear once, in one of the three lists. It may also appear in
  /// `order`.
  @inlinable
  package init(
    inserted: [Entity] = [], updated: [EntityUpdate<Entity>] = [], removed: [Entity] = [],
    order: TableOrderChanges<Entity> = TableOrderChanges()
  ) {
    self.inserted = inserted
    self.updated = updated
    self.removed = removed
    self.order = order
  }

  /// The entities that changed their position relative to other entities, in the order of the newer
  /// version. They may also be in `updated`.
  /// - Complexity: O(changes) expected.
  public var moved: [EntityMove<Entity>] { order.moved }

  /// Whether nothing changed.
  @inlinable
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && removed.isEmpty && order.isEmpty
  }

  /// The number of entities that changed or moved.
  /// - Complexity: O(changes) expected.
  @usableFromInline package var count: Int {
    let changed = inserted.count + updated.count + removed.count
    if order.isEmpty { return changed }
    let updatedIDs = Set(updated.map { $0.entityID })
    return changed + moved.count { !updatedIDs.contains($0.entityID) }
  }

  /// The IDs of the entities that were inserted, updated or removed.
  @inlinable
  var changedIDs: [Entity.EntityID] {
    inserted.map { $0.entityID } + updated.map { $0.entityID } + removed.map { $0.entityID }
  }

  /// The changes from the newer to the older version.
  /// - Complexity: O(changes).
  package var inverted: Self {
    Self(
      inserted: removed, updated: updated.map { EntityUpdate(old: $0.new, new: $0.old) },
      removed: inserted, order: order.inverted)
  }
}

extension Tables.Hash {
  /// Returns the difference between this version and an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   tables.
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
      inserted: { changes.inserted.append($0.pointee) },
      updated: { changes.updated.append(EntityUpdate(old: $0.pointee, new: $1.pointee)) },
      removed: { changes.removed.append($0.pointee) })
    return changes
  }
}

extension Tables.Ordered {
  /// Returns the difference between this version and an older one, including the order.
  ///
  /// A row has not moved if its position differs only because other rows were inserted, removed or
  /// moved.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated tables.
  public func changes(since old: Self) -> TableChanges<Entity> {
    let differences = rows.differences(from: old.rows)
    typealias Place = TableOrderChanges<Entity>.Place
    return TableChanges(
      inserted: differences.inserted.map { $0.element },
      updated: differences.updated.map { EntityUpdate(old: $0.old, new: $0.new) },
      removed: differences.removed.map { $0.element },
      order: TableOrderChanges(
        taken: differences.removed.map { Place(entityID: $0.id, position: $0.index) }
          + differences.moved.map { Place(entityID: $0.id, position: $0.from) }, from: old,
        placed: differences.inserted.map { Place(entityID: $0.id, position: $0.index) }
          + differences.moved.map { Place(entityID: $0.id, position: $0.to) }, in: self))
  }
}

extension TableChanges: CustomStringConvertible {
  /// The number of entities by kind of change, and a line for each of the first 20 changed rows:
  /// `+` for an inserted row, `~` for one with changed members, `-` for a removed one, and `>` for
  /// one that moved.
  ///
  /// ```
  /// Book: 1 inserted, 1 updated
  ///   + Book(id: "b2", title: "Entia")
  ///   ~ Book b1: title "Old" -> "New"
  /// ```
  public var description: String {
    ([summary] + lines(limit: 20).map { "  \($0)" }).joined(separator: "\n")
  }
}

/// The changes of a table, for code that does not depend on the entity type.
@usableFromInline
protocol AnyTableChanges: Sendable, CustomStringConvertible {
  var isEmpty: Bool { get }
  var count: Int { get }
  /// The number of changes by kind.
  var summary: String { get }
  /// Whether rows were inserted or moved, or were removed from a `Tables.Ordered`. These changes
  /// affect the order in which rows are visited, or the positions of rows.
  var changesOrder: Bool { get }
  var invertedChanges: any AnyTableChanges { get }
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges
  func isEqual(to other: any AnyTableChanges) -> Bool
  /// Returns a line for each change up to a limit, and a last line with the number of the others.
  func lines(limit: Int) -> [String]
  func encode(to encoder: any Encoder) throws
}

extension AnyTableChanges {
  @usableFromInline var changesOrder: Bool { false }
}

extension TableChanges: AnyTableChanges {
  @usableFromInline
  var changesOrder: Bool {
    !inserted.isEmpty || !order.placed.isEmpty || !order.taken.isEmpty
  }

  @usableFromInline
  var invertedChanges: any AnyTableChanges { inverted }

  @usableFromInline
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges {
    guard let later = later as? Self else { return self }
    return composed(with: later)
  }

  @usableFromInline
  func isEqual(to other: any AnyTableChanges) -> Bool { other as? Self == self }
}

extension TableChanges {
  /// An entity before and after a change, where `nil` is absence.
  private typealias Transition = (old: Entity?, new: Entity?)

  private var transitions: [(Entity.EntityID, Transition)] {
    inserted.map { ($0.entityID, (nil, $0)) }
      + updated.map { ($0.entityID, ($0.old, $0.new)) }
      + removed.map { ($0.entityID, ($0, nil)) }
  }

  /// Returns the combination of these changes and later ones.
  ///
  /// - Parameter later: The later changes. They begin at the version at which these changes end.
  /// - Complexity: O(changes · log changes) expected.
  package func composed(with later: Self) -> Self {
    var ids: [Entity.EntityID] = []
    var all: [Entity.EntityID: Transition] = [:]
    for (id, transition) in transitions + later.transitions {
      if let earlier = all[id] {
        all[id] = (earlier.old, transition.new)
      } else {
        ids.append(id)
        all[id] = transition
      }
    }
    var result = Self()
    for id in ids {
      guard let (old, new) = all[id] else { continue }
      switch (old, new) {
      case (nil, let new?): result.inserted.append(new)
      case (let old?, nil): result.removed.append(old)
      case (let old?, let new?) where !haveSameValue(old, new):
        result.updated.append(EntityUpdate(old: old, new: new))
      default: break
      }
    }
    result.order = order.composed(with: later.order)
    return result
  }
}

extension TableChanges: Equatable {
  /// Whether both contain the same changes of the same entities, in any order of the lists, and
  /// lead to the same order of the table.
  /// - Complexity: O(changes · log changes) expected.
  public static func == (a: Self, b: Self) -> Bool {
    guard
      a.inserted.count == b.inserted.count, a.updated.count == b.updated.count,
      a.removed.count == b.removed.count, a.order == b.order
    else { return false }
    let others = Dictionary(b.transitions, uniquingKeysWith: { first, _ in first })
    return a.transitions.allSatisfy { id, transition in
      guard let other = others[id] else { return false }
      return haveSameValue(transition.old, other.old)
        && haveSameValue(transition.new, other.new)
    }
  }
}
