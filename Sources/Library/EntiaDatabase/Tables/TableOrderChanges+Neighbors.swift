import EntiaCollections

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
        keys: run.map(\.entityID), position: run[run.startIndex].position,
        previous: neighbors.previous, next: neighbors.next)
    }
  }

  /// Splits places, in ascending order, into runs of consecutive positions.
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
    runs(of: places.map(\.place)).map { run in
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
