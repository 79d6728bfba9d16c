/// An entity whose position relative to the others differs.
@frozen
public struct EntityMove<Entity: EntityType>: Hashable, Sendable {
  /// The entity's ID.
  public let entityID: Entity.EntityID
  /// The position in the older version.
  public let from: Int
  /// The position in the newer version.
  public let to: Int

  /// Creates a move.
  @inlinable
  public init(entityID: Entity.EntityID, from: Int, to: Int) {
    self.entityID = entityID
    self.from = from
    self.to = to
  }
}

/// The difference between the order of a `Tables.Ordered` and that of an older version.
///
/// Every entity that was removed or moved is taken out of the older version. Every entity that
/// was inserted or moved is placed in the newer one, by ascending position. All others keep their
/// relative order. The difference of two versions also contains the neighbors of these entities,
/// so that it can be applied to a third version, where positions differ.
@frozen
public struct TableOrderChanges<Entity: EntityType>: Sendable {
  /// An entity and its position in one of the versions.
  @frozen
  public struct Place: Hashable, Sendable {
    /// The entity's ID.
    public let entityID: Entity.EntityID
    /// The position, starting at 0.
    public let position: Int

    /// Creates a place. A negative position becomes 0.
    @inlinable
    public init(entityID: Entity.EntityID, position: Int) {
      self.entityID = entityID
      self.position = Swift.max(0, position)
    }

    init(_ entity: Entity, _ position: Int) {
      self.init(entityID: entity.entityID, position: position)
    }
  }

  /// The entities on both sides of a run of consecutive places, in the same version.
  @usableFromInline
  struct Neighbors: Sendable {
    /// The entity before the first place, or `nil` at the beginning of the table.
    let previous: Entity.EntityID?
    /// The entity after the last place, or `nil` at the end of the table.
    let next: Entity.EntityID?
  }

  /// The entities that were removed or moved, by ascending position in the older version.
  public let taken: [Place]
  /// The entities that were inserted or moved, by ascending position in the newer version.
  public let placed: [Place]

  /// The neighbors of the places in each list, one element for each run of consecutive positions;
  /// empty when they are not known.
  @usableFromInline let takenNeighbors: [Neighbors]
  @usableFromInline let placedNeighbors: [Neighbors]

  /// Creates an empty change of order.
  @inlinable
  public init() {
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
  public init(taken: [Place], placed: [Place]) {
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

  /// Creates changes of an order, by positions only when neighbors are not known.
  init(taken: [NeighboredPlace], placed: [NeighboredPlace], hasNeighbors: Bool) {
    self.taken = taken.map(\.place)
    self.placed = placed.map(\.place)
    takenNeighbors = hasNeighbors ? Self.neighbors(of: taken) : []
    placedNeighbors = hasNeighbors ? Self.neighbors(of: placed) : []
  }

  /// Whether the order is unchanged.
  @inlinable
  public var isEmpty: Bool { taken.isEmpty && placed.isEmpty }

  /// The entities that are in both versions and whose position relative to the others differs, by
  /// position in the newer version.
  /// - Complexity: O(changes) expected.
  public var moved: [EntityMove<Entity>] {
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
  public var inverted: Self {
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
