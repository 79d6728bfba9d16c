// The neighbors of changed places, for rooms that store change sets.
extension TableOrderChanges {
  /// The places of removed and moved entities in runs of consecutive positions, and of inserted and
  /// moved ones, each run with its neighbors; `nil` when the neighbors are not known.
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

  /// Creates changes of an order from runs, or `nil` when the runs are not those of a version:
  /// positions must ascend, each run must be consecutive and as long as possible, and an ID may
  /// appear once.
  /// - Parameters:
  ///   - taken: The runs of removed and moved entities in the older version.
  ///   - placed: The runs of inserted and moved entities in the newer one.
  package init?(taken: [NeighboredRun], placed: [NeighboredRun]) {
    guard Self.areRuns(taken), Self.areRuns(placed) else { return nil }
    func neighbored(_ runs: [NeighboredRun]) -> [NeighboredPlace] {
      runs.flatMap { run in
        run.places.indices.map { index in
          NeighboredPlace(
            place: run.places[index],
            previous: index == 0 ? run.previous : run.places[index - 1].entityID,
            next: index + 1 == run.places.count ? run.next : run.places[index + 1].entityID)
        }
      }
    }
    self.init(taken: neighbored(taken), placed: neighbored(placed), hasNeighbors: true)
  }

  private static func areRuns(_ runs: [NeighboredRun]) -> Bool {
    // Far beyond any table, so that no arithmetic overflows.
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
