import EntiaCollections

extension TableChanges {
  /// An entity before and after, where `nil` is absence.
  private typealias Transition = (old: Entity?, new: Entity?)

  private var transitions: [(Entity.EntityID, Transition)] {
    inserted.map { ($0.entityID, (nil, $0)) }
      + updated.map { ($0.entityID, ($0.old, $0.new)) }
      + removed.map { ($0.entityID, ($0, nil)) }
  }

  /// Returns the changes that do at once what these and then the later ones do.
  ///
  /// - Parameter later: changes that start from where these end.
  /// - Complexity: O(changes) expected.
  public func composed(with later: Self) -> Self {
    var order: [Entity.EntityID] = []
    var all: [Entity.EntityID: Transition] = [:]
    for (id, transition) in transitions + later.transitions {
      if let earlier = all[id] {
        all[id] = (earlier.old, transition.new)
      } else {
        order.append(id)
        all[id] = transition
      }
    }
    var result = Self()
    for id in order {
      guard let (old, new) = all[id] else { continue }
      switch (old, new) {
      case (nil, let new?): result.inserted.append(new)
      case (let old?, nil): result.removed.append(old)
      case (let old?, let new?) where old != new:
        result.updated.append(EntityUpdate(old: old, new: new))
      default: break
      }
    }
    return result
  }
}

extension TableChanges: Equatable {
  /// Whether both say the same of the same entities, in whatever order.
  /// - Complexity: O(changes) expected.
  public static func == (a: Self, b: Self) -> Bool {
    guard
      a.inserted.count == b.inserted.count, a.updated.count == b.updated.count,
      a.removed.count == b.removed.count
    else { return false }
    let others = Dictionary(b.transitions, uniquingKeysWith: { first, _ in first })
    return a.transitions.allSatisfy { id, transition in
      guard let other = others[id] else { return false }
      return transition.old == other.old && transition.new == other.new
    }
  }
}
