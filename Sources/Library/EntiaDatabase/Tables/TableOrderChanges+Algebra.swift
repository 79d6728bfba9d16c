import EntiaCollections

extension TableOrderChanges {
  /// Returns the combination of these changes and later ones.
  ///
  /// - Parameter later: The later changes. They begin at the version at which these changes end.
  /// - Complexity: O(changes · log changes) expected.
  package func composed(with later: Self) -> Self {
    if isEmpty { return later }
    if later.isEmpty { return self }
    let hasNeighbors = hasNeighbors && later.hasNeighbors
    let taken = later.inverted.places(before: inverted, hasNeighbors)
    let placed = places(before: later, hasNeighbors)
    let resting = Self.resting(taken: taken, placed: placed)
    return Self(
      taken: taken.filter { !resting.contains($0.place.entityID) },
      placed: placed.filter { !resting.contains($0.place.entityID) }, hasNeighbors: hasNeighbors)
  }

  /// Returns the rows of `self.placed` and `later.placed`, by ascending position. The positions are
  /// those in the newer version of `later`. Rows that `later` removes are left out.
  private func places(before later: Self, _ hasNeighbors: Bool) -> [NeighboredPlace] {
    let takenLater = Set(later.taken.map { $0.entityID })
    let mine = hasNeighbors ? neighboredPlaces : placed.map { NeighboredPlace(place: $0) }
    var result = hasNeighbors ? later.neighboredPlaces : later.placed.map { .init(place: $0) }
    // `later` may shift a row that is not in `later.taken`. `carrier` finds the position of the row
    // in the newer version of `later`.
    var carrier = PositionCarrier(later)
    let bridge = NeighborBridge(over: later, hasNeighbors)
    for var place in mine where !takenLater.contains(place.place.entityID) {
      let position = carrier.newPosition(ofUntaken: place.place.position)
      place.place = Place(entityID: place.place.entityID, position: position)
      if hasNeighbors { bridge.carry(&place) }
      result.append(place)
    }
    result.sort { $0.place.position < $1.place.position }
    return result
  }

  /// Returns as many rows of `taken` and `placed` as can stay in place while the others move.
  private static func resting(
    taken: [NeighboredPlace], placed: [NeighboredPlace]
  ) -> Set<Entity.EntityID> {
    var goals: [Entity.EntityID: (index: Int, passed: Int)] = [:]
    for (index, place) in placed.enumerated() {
      goals[place.place.entityID] = (index, place.place.position - index)
    }
    // For a row in `taken` or `placed`, `position - index` is the number of preceding rows that the
    // list does not contain. A row can stay only if this number is equal in both lists.
    var resting: [Int] = []
    for (index, place) in taken.enumerated() {
      guard let goal = goals[place.place.entityID], goal.passed == place.place.position - index
      else { continue }
      resting.append(goal.index)
    }
    return Set(longestIncreasingSubsequence(of: resting).map { placed[$0].place.entityID })
  }
}

/// Finds the neighbors of a row in the newer version of changes, from its neighbors in the older
/// version. The row must be neither in `taken` nor in `placed` of the changes.
private struct NeighborBridge<Entity: EntityType> {
  typealias Changes = TableOrderChanges<Entity>

  /// The rows that the changes place, by their position in the newer version.
  private var placed: [Int: Entity.EntityID] = [:]
  /// The rows that the changes take from their positions, with their neighbors in the older
  /// version.
  private var taken: [Entity.EntityID: Changes.NeighboredPlace] = [:]

  init(over changes: Changes, _ hasNeighbors: Bool) {
    if !hasNeighbors { return }
    for place in changes.placed { placed[place.position] = place.entityID }
    for place in changes.inverted.neighboredPlaces { taken[place.place.entityID] = place }
  }

  /// Replaces the neighbors of a row in the older version with its neighbors in the newer version.
  ///
  /// Consecutive rows in `taken` are visited at most twice: for the row before them, and for the
  /// row after them.
  func carry(_ place: inout Changes.NeighboredPlace) {
    while let id = place.previous, let removed = taken[id] { place.previous = removed.previous }
    while let id = place.next, let removed = taken[id] { place.next = removed.next }
    if let id = placed[place.place.position - 1] { place.previous = id }
    if let id = placed[place.place.position + 1] { place.next = id }
  }
}

extension TableOrderChanges: Equatable {
  /// Whether both lead to the same order, even if they move different rows. When two neighbors
  /// exchange their places, for example, either of them may be listed as moved.
  /// - Complexity: O(changes · log changes) expected.
  @usableFromInline
  package static func == (a: Self, b: Self) -> Bool {
    if a.taken == b.taken, a.placed == b.placed { return true }
    return agree(a.taken, b.taken) && agree(a.placed, b.placed) && a.shifts == b.shifts
  }

  /// Whether two lists have the same row at each position that both contain.
  private static func agree(_ a: [Place], _ b: [Place]) -> Bool {
    let known = Dictionary(
      a.map { ($0.position, $0.entityID) }, uniquingKeysWith: { first, _ in first })
    return b.allSatisfy { known[$0.position].map { [id = $0.entityID] in $0 == id } ?? true }
  }

  /// A change of the distance by which rows are shifted. Rows of the older version are shifted by
  /// `distance` from `position` on, until the next `Shift`.
  private struct Shift: Equatable {
    let position: Int
    /// The distance by which rows are shifted, or `nil` for a removed row.
    let distance: Int?
  }

  /// The mapping from old to new positions, in a canonical form. Change sets that lead to the same
  /// order have equal shifts.
  private var shifts: [Shift] {
    let goals = Dictionary(
      placed.map { ($0.entityID, $0.position) }, uniquingKeysWith: { first, _ in first })
    var sources: [Int: Entity.EntityID] = [:]
    var turns: Set<Int> = []
    for place in taken {
      sources[place.position] = place.entityID
      turns.formUnion([place.position, place.position + 1])
    }
    // A shift may begin at a row in `taken`, at the row after it, or at the first unmoved row after
    // a row in `placed`. `back` finds the position of this unmoved row in the older version.
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

/// Finds the new positions of rows that are neither in `taken` nor in `placed` of `changes`. The
/// old positions must be passed in ascending order.
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

  /// Returns the new position of an unmoved row that follows `rank` other unmoved rows. A row is
  /// unmoved if the change set neither takes it from its position nor places it.
  mutating func newPosition(ofRank rank: Int) -> Int {
    while passedPlaced < changes.placed.count,
      changes.placed[passedPlaced].position <= rank + passedPlaced
    {
      passedPlaced += 1
    }
    return rank + passedPlaced
  }
}
