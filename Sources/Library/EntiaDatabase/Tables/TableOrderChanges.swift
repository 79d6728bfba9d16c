import EntiaCollections

/// An entity that changed its position relative to other entities.
@frozen
public struct EntityMove<Entity: EntityType>: Hashable, Sendable {
  /// The entity's ID.
  public let entityID: Entity.EntityID
  /// The position in the older version.
  public let from: Int
  /// The position in the newer version.
  public let to: Int

  package init(entityID: Entity.EntityID, from: Int, to: Int) {
    self.entityID = entityID
    self.from = from
    self.to = to
  }
}

/// The difference between the order of a `Tables.Ordered` and the order of an older version.
///
/// `taken` contains the removed and moved entities, with their positions in the older version.
/// `placed` contains the inserted and moved entities, with their positions in the newer version.
/// All other entities keep their relative order. A difference of two versions also contains the
/// neighbors of the entities in `taken` and `placed`. Because of the neighbors, the difference can
/// be applied to a third version, where positions differ.
@frozen
@usableFromInline
package struct TableOrderChanges<Entity: EntityType>: Sendable {
  /// An entity and its position in one of the versions.
  @frozen
  @usableFromInline
  package struct Place: Hashable, Sendable {
    /// The entity's ID.
    @usableFromInline package let entityID: Entity.EntityID
    /// The position, starting at 0.
    @usableFromInline package let position: Int

    /// Creates a place. A negative position becomes 0.
    @inlinable
    package init(entityID: Entity.EntityID, position: Int) {
      self.entityID = entityID
      self.position = Swift.max(0, position)
    }
  }

  /// The entities directly before and after a run of consecutive places, in the version to which
  /// the places belong.
  @usableFromInline
  struct Neighbors: Sendable {
    /// The entity before the first place, or `nil` at the beginning of the table.
    let previous: Entity.EntityID?
    /// The entity after the last place, or `nil` at the end of the table.
    let next: Entity.EntityID?
  }

  /// The entities that were removed or moved, by ascending position in the older version.
  @usableFromInline package let taken: [Place]
  /// The entities that were inserted or moved, by ascending position in the newer version.
  @usableFromInline package let placed: [Place]

  /// The neighbors of each run of consecutive positions in `taken` and in `placed`; empty when the
  /// neighbors are not known.
  @usableFromInline let takenNeighbors: [Neighbors]
  @usableFromInline let placedNeighbors: [Neighbors]

  /// Creates an empty change of order.
  @inlinable
  package init() {
    taken = []
    placed = []
    takenNeighbors = []
    placedNeighbors = []
  }

  /// Creates changes of an order by positions only. Each ID may appear once in each of the lists.
  /// - Parameters:
  ///   - taken: The entities that were removed or moved, with their positions in the older
  ///     version.
  ///   - placed: The entities that were inserted or moved, with their positions in the newer one.
  package init(taken: [Place], placed: [Place]) {
    self.taken = taken.sorted { $0.position < $1.position }
    self.placed = placed.sorted { $0.position < $1.position }
    takenNeighbors = []
    placedNeighbors = []
  }

  /// Creates changes of the order between two versions.
  init(
    taken: [Place], from old: Tables.Ordered<Entity>,
    placed: [Place], in new: Tables.Ordered<Entity>
  ) {
    self.taken = taken.sorted { $0.position < $1.position }
    self.placed = placed.sorted { $0.position < $1.position }
    takenNeighbors = Self.neighbors(of: self.taken, in: old)
    placedNeighbors = Self.neighbors(of: self.placed, in: new)
  }

  /// Creates changes of an order. Unless `hasNeighbors` is `true`, they contain only the positions.
  init(taken: [NeighboredPlace], placed: [NeighboredPlace], hasNeighbors: Bool) {
    self.taken = taken.map { $0.place }
    self.placed = placed.map { $0.place }
    takenNeighbors = hasNeighbors ? Self.neighbors(of: taken) : []
    placedNeighbors = hasNeighbors ? Self.neighbors(of: placed) : []
  }

  /// Whether the order is unchanged.
  @inlinable
  package var isEmpty: Bool { taken.isEmpty && placed.isEmpty }

  /// The entities that are in both versions and changed their position relative to other entities,
  /// in the order of the newer version.
  /// - Complexity: O(changes) expected.
  package var moved: [EntityMove<Entity>] {
    if taken.isEmpty || placed.isEmpty { return [] }
    let origins = Dictionary(
      taken.map { ($0.entityID, $0.position) }, uniquingKeysWith: { first, _ in first })
    return placed.compactMap { place in
      origins[place.entityID].map {
        EntityMove(entityID: place.entityID, from: $0, to: place.position)
      }
    }
  }

  /// The changes from the newer to the older order.
  /// - Complexity: O(1).
  package var inverted: Self {
    Self(
      sortedTaken: placed, placedNeighbors, sortedPlaced: taken, takenNeighbors)
  }

  private init(
    sortedTaken taken: [Place], _ takenNeighbors: [Neighbors],
    sortedPlaced placed: [Place], _ placedNeighbors: [Neighbors]
  ) {
    self.taken = taken
    self.placed = placed
    self.takenNeighbors = takenNeighbors
    self.placedNeighbors = placedNeighbors
  }
}

extension TableOrderChanges {
  /// A place with the entities directly before and after it.
  struct NeighboredPlace {
    var place: Place
    var previous: Entity.EntityID?
    var next: Entity.EntityID?
  }

  /// Whether the neighbors of all places are known.
  var hasNeighbors: Bool {
    takenNeighbors.isEmpty == taken.isEmpty && placedNeighbors.isEmpty == placed.isEmpty
  }

  /// The placed entities with their neighbors in the newer version; `nil` when these are not
  /// known.
  var runs: [OrderedRun<Entity.EntityID>]? {
    guard hasNeighbors else { return nil }
    return zip(Self.runs(of: placed), placedNeighbors).map { run, neighbors in
      OrderedRun(
        keys: run.map { $0.entityID }, position: run[run.startIndex].position,
        previous: neighbors.previous, next: neighbors.next)
    }
  }

  /// Splits places into runs of consecutive positions. The places must be sorted by ascending
  /// position.
  static func runs(of places: [Place]) -> [ArraySlice<Place>] {
    var runs: [ArraySlice<Place>] = []
    var start = 0
    for index in places.indices
    where index + 1 == places.count || places[index + 1].position > places[index].position + 1 {
      runs.append(places[start...index])
      start = index + 1
    }
    return runs
  }

  static func neighbors(of places: [Place], in table: Tables.Ordered<Entity>) -> [Neighbors] {
    runs(of: places).map { run in
      Neighbors(
        previous: run.first.flatMap { table.find(at: $0.position - 1)?.entityID },
        next: run.last.flatMap { table.find(at: $0.position + 1)?.entityID })
    }
  }

  static func neighbors(of places: [NeighboredPlace]) -> [Neighbors] {
    runs(of: places.map { $0.place }).map { run in
      Neighbors(
        previous: places[run.startIndex].previous, next: places[run.endIndex - 1].next)
    }
  }

  /// The placed entities, each with its neighbors in the newer version.
  var neighboredPlaces: [NeighboredPlace] {
    zip(Self.runs(of: placed), placedNeighbors).flatMap { run, neighbors in
      run.indices.map { index in
        NeighboredPlace(
          place: run[index],
          previous: index == run.startIndex ? neighbors.previous : run[index - 1].entityID,
          next: index + 1 == run.endIndex ? neighbors.next : run[index + 1].entityID)
      }
    }
  }
}

// The neighbors of changed places, for modules that store change sets.
extension TableOrderChanges {
  /// The runs of consecutive positions in `taken` and in `placed`, each with its neighbors. The
  /// property is `nil` if the neighbors are not known.
  package var neighboredRuns: (taken: [NeighboredRun], placed: [NeighboredRun])? {
    guard hasNeighbors else { return nil }
    func runs(_ places: [Place], _ neighbors: [Neighbors]) -> [NeighboredRun] {
      zip(Self.runs(of: places), neighbors).map {
        NeighboredRun(places: Array($0), previous: $1.previous, next: $1.next)
      }
    }
    return (runs(taken, takenNeighbors), runs(placed, placedNeighbors))
  }

  /// Consecutive places of a version, with the entities on both sides.
  package struct NeighboredRun: Sendable {
    /// The places, by ascending position.
    package let places: [Place]
    /// The entity before the first place, or `nil` at the beginning of the table.
    package let previous: Entity.EntityID?
    /// The entity after the last place, or `nil` at the end of the table.
    package let next: Entity.EntityID?

    /// Creates a run.
    package init(places: [Place], previous: Entity.EntityID?, next: Entity.EntityID?) {
      self.places = places
      self.previous = previous
      self.next = next
    }
  }

  /// Creates changes of an order from runs. Returns `nil` if the positions do not ascend, if a run
  /// is not consecutive or could be longer, or if an ID appears twice in a list.
  /// - Parameters:
  ///   - taken: The runs of removed and moved entities in the older version.
  ///   - placed: The runs of inserted and moved entities in the newer one.
  package init?(taken: [NeighboredRun], placed: [NeighboredRun]) {
    guard Self.areRuns(taken), Self.areRuns(placed) else { return nil }
    func neighbors(_ runs: [NeighboredRun]) -> [Neighbors] {
      runs.map { Neighbors(previous: $0.previous, next: $0.next) }
    }
    self.init(
      sortedTaken: taken.flatMap { $0.places }, neighbors(taken),
      sortedPlaced: placed.flatMap { $0.places }, neighbors(placed))
  }

  private static func areRuns(_ runs: [NeighboredRun]) -> Bool {
    // Greater than any position in a table, but small enough that no arithmetic overflows.
    let limit = 1 << 48
    var last = -2
    var ids: Set<Entity.EntityID> = []
    for run in runs {
      guard let first = run.places.first, first.position > last + 1 else { return false }
      last = first.position - 1
      for place in run.places {
        guard place.position == last + 1, place.position < limit,
          ids.insert(place.entityID).inserted
        else { return false }
        last = place.position
      }
    }
    return true
  }
}
