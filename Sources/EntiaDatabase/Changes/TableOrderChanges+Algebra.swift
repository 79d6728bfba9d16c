import EntiaCollections

extension TableOrderChanges {
  /// Returns the changes that do at once what these and then the later ones do.
  ///
  /// - Parameter later: changes that start from where these end.
  /// - Complexity: O(changes · log changes) expected.
  public func composed(with later: Self) -> Self {
    if isEmpty { return later }
    if later.isEmpty { return self }
    let placedEarlier = Set(placed.map(\.entityID))
    let takenLater = Set(later.taken.map(\.entityID))
    // Of these the other change set knows nothing: they are in the middle where its rows shift them.
    let onlyTakenLater = later.taken.filter { !placedEarlier.contains($0.entityID) }
    let onlyPlacedEarlier = placed.filter { !takenLater.contains($0.entityID) }
    return Self(
      taken: taken + inverted.carrying(onlyTakenLater),
      placed: later.placed + later.carrying(onlyPlacedEarlier)
    ).withoutRest
  }

  /// Rows of the older version that are not taken, ascending, at their positions in the newer one.
  private func carrying(_ places: [Place]) -> [Place] {
    var carrier = PositionCarrier(self)
    return places.map {
      Place(entityID: $0.entityID, position: carrier.newPosition(ofUntaken: $0.position))
    }
  }

  /// The same changes without the rows that can stay where they are while the others move.
  private var withoutRest: Self {
    var goals: [Entity.EntityID: (index: Int, passed: Int)] = [:]
    for (index, place) in placed.enumerated() {
      goals[place.entityID] = (index, place.position - index)
    }
    // A row may stay when it has passed none of those that nothing was done to.
    var resting: [Int] = []
    for (index, place) in taken.enumerated() {
      guard let goal = goals[place.entityID], goal.passed == place.position - index else {
        continue
      }
      resting.append(goal.index)
    }
    let resters = Set(longestAscent(of: resting).map { placed[$0].entityID })
    if resters.isEmpty { return self }
    return Self(
      taken: taken.filter { !resters.contains($0.entityID) },
      placed: placed.filter { !resters.contains($0.entityID) })
  }
}

extension TableOrderChanges: Equatable {
  /// Whether both lead to the same order, whichever rows they move for it: of two neighbors that
  /// changed places, either may be the one that moved.
  /// - Complexity: O(changes · log changes) expected.
  public static func == (a: Self, b: Self) -> Bool {
    if a.taken == b.taken, a.placed == b.placed { return true }
    return agree(a.taken, b.taken) && agree(a.placed, b.placed) && a.shifts == b.shifts
  }

  /// Whether two lists name the same rows where they name the same positions.
  private static func agree(_ a: [Place], _ b: [Place]) -> Bool {
    let known = Dictionary(
      a.map { ($0.position, $0.entityID) }, uniquingKeysWith: { first, _ in first })
    return b.allSatisfy { known[$0.position].map { [id = $0.entityID] in $0 == id } ?? true }
  }

  /// A position of the older version from which on rows are shifted by another distance than before.
  private struct Shift: Equatable {
    let position: Int
    /// How far rows are shifted, or `nil` for one that is removed.
    let distance: Int?
  }

  /// Where every position goes: the same for all change sets that lead to the same order.
  private var shifts: [Shift] {
    let goals = Dictionary(
      placed.map { ($0.entityID, $0.position) }, uniquingKeysWith: { first, _ in first })
    var sources: [Int: Entity.EntityID] = [:]
    var turns: Set<Int> = []
    for place in taken {
      sources[place.position] = place.entityID
      turns.formUnion([place.position, place.position + 1])
    }
    // The first row behind each that was placed.
    var back = PositionCarrier(inverted)
    for (index, place) in placed.enumerated() {
      turns.insert(back.newPosition(ofRank: place.position - index))
    }
    var carrier = PositionCarrier(self)
    var result: [Shift] = []
    var distance: Int? = 0
    for position in turns.sorted() {
      let goal = sources[position].map { goals[$0] } ?? carrier.newPosition(ofUntaken: position)
      let shift = Shift(position: position, distance: goal.map { $0 - position })
      if shift.distance == nil || shift.distance != distance { result.append(shift) }
      distance = shift.distance
    }
    return result
  }
}

/// Finds the new positions of rows that a change of order neither takes nor places, by ascending
/// position.
private struct PositionCarrier<Entity: EntityType> {
  let changes: TableOrderChanges<Entity>
  var passedTaken = 0
  var passedPlaced = 0

  init(_ changes: TableOrderChanges<Entity>) { self.changes = changes }

  mutating func newPosition(ofUntaken position: Int) -> Int {
    while passedTaken < changes.taken.count, changes.taken[passedTaken].position < position {
      passedTaken += 1
    }
    return newPosition(ofRank: position - passedTaken)
  }

  /// The new position of the row with so many others before it that are neither taken nor placed.
  mutating func newPosition(ofRank rank: Int) -> Int {
    while passedPlaced < changes.placed.count,
      changes.placed[passedPlaced].position <= rank + passedPlaced
    {
      passedPlaced += 1
    }
    return rank + passedPlaced
  }
}
