import EntiaCollections

extension TableChanges {
  /// An entity before and after a change, where `nil` is absence.
  private typealias Transition = (old: Entity?, new: Entity?)

  private var transitions: [(Entity.EntityID, Transition)] {
    inserted.map { ($0.entityID, (nil, $0)) }
      + updated.map { ($0.entityID, ($0.old, $0.new)) }
      + removed.map { ($0.entityID, ($0, nil)) }
  }

  /// Returns the changes that combine these and the later ones.
  ///
  /// - Parameter later: The changes that start from the version at which these end.
  /// - Complexity: O(changes · log changes) expected.
  public func composed(with later: Self) -> Self {
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
