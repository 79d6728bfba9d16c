import EntiaDatabase
import Foundation

@testable import EntiaStore

/// Players, guests and teams, with keys that count how often they are compared.
extension LiveBoundaryTests {
  /// A number that counts how often it is compared, by the test that binds it.
  struct Points: Comparable, Sendable {
    @TaskLocal static var comparisons: Tally?
    /// Called at the first comparison.
    @TaskLocal static var interruption: Interruption?
    var number: Double

    static func < (lhs: Points, rhs: Points) -> Bool {
      comparisons?.add()
      interruption?.run()
      return lhs.number < rhs.number
    }
    static func == (lhs: Points, rhs: Points) -> Bool {
      comparisons?.add()
      return lhs.number == rhs.number
    }
  }

  /// Something that happens once, or a number of times, but not while it happens.
  final class Interruption: Sendable {
    private let body: @Sendable () -> Void
    private let rest: Mutex<(times: Int, isRunning: Bool)>

    init(times: Int = 1, _ body: @escaping @Sendable () -> Void) {
      self.body = body
      rest = Mutex((times, false))
    }

    func run() {
      let isDue = rest.withLock { rest in
        if rest.times == 0 || rest.isRunning { return false }
        rest = (rest.times - 1, true)
        return true
      }
      if !isDue { return }
      body()
      rest.withLock { $0.isRunning = false }
    }
  }

  struct Player: EntityType, Identifiable {
    let id: Int
    var points: Points
    var team: Int
    var note = 0

    static func == (lhs: Player, rhs: Player) -> Bool {
      lhs.id == rhs.id && lhs.points.number.bitPattern == rhs.points.number.bitPattern
        && lhs.team == rhs.team && lhs.note == rhs.note
    }
  }

  /// An ID without an order, so that places decide between equal keys.
  struct Code: Hashable, Sendable { let number: Int }

  struct Guest: EntityType, Identifiable {
    /// Counts the comparisons of the test that binds it.
    @TaskLocal static var comparisons: Tally?

    let id: Code
    var points: Double

    static func == (lhs: Guest, rhs: Guest) -> Bool {
      comparisons?.add()
      return lhs.id == rhs.id && lhs.points.bitPattern == rhs.points.bitPattern
    }
  }

  struct Team: EntityType, Identifiable {
    let id: Int
    var isActive: Bool
  }

  struct League: NormalizedStorageType {
    struct Contents: StorageContents {
      var players = Tables.Hash<Player>()
      var guests = Tables.Ordered<Guest>()
      var teams = Tables.Hash<Team>()
      var playerTeam = ToOne<Player, Team>(\.teamID, onDelete: .keepDangling)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("players", \.players)
        visitor.table("guests", \.guests)
        visitor.table("teams", \.teams)
        visitor.relationship("playerTeam", \.playerTeam)
      }
    }

    var snapshot = Snapshot(Contents())
    var players: Tables.Hash<Player> { snapshot.contents.players }
    var guests: Tables.Ordered<Guest> { snapshot.contents.guests }
    var teams: Tables.Hash<Team> { snapshot.contents.teams }
  }

  struct LeagueState: StateType {
    var league = League()
  }

  static func players(_ count: Int) -> LeagueState {
    var state = LeagueState()
    state.league.performBatchUpdates { context in
      for id in 0..<count {
        context.modifying.players.insert(
          Player(id: id, points: Points(number: Double(id)), team: id % 4))
      }
    }
    return state
  }

  static func descriptors() -> [FetchDescriptor<Player>] {
    let points = SortDescriptor(\Player.points, order: .reverse)
    return [
      FetchDescriptor(sortBy: [points], fetchLimit: 4),
      FetchDescriptor(sortBy: [SortDescriptor(\Player.points)], fetchLimit: 3, fetchOffset: 2),
      FetchDescriptor(
        predicate: #Predicate { $0.team > 1 }, sortBy: [SortDescriptor(\.points)], fetchLimit: 4),
      FetchDescriptor(
        predicate: #Predicate { $0.team > 1 && $0.note < 3 },
        sortBy: [SortDescriptor(\.team, order: .reverse), points], fetchLimit: 2, fetchOffset: 3),
      FetchDescriptor(predicate: #Predicate { $0.team > 2 }, sortBy: [points]),
      FetchDescriptor(sortBy: [points], fetchLimit: 0),
      FetchDescriptor(sortBy: [points], fetchLimit: 3) { $0.note > 0 },
      FetchDescriptor(sortBy: [points], fetchLimit: 3)
        .joining(\League.Contents.playerTeam, #Predicate { $0.isActive }),
      FetchDescriptor(
        predicate: #Predicate { $0.note < 4 }, sortBy: [SortDescriptor(\.team)], fetchLimit: 5
      ).joining(\League.Contents.playerTeam, #Predicate { $0.isActive }),
    ]
  }

  static let guests: [FetchDescriptor<Guest>] = [
    FetchDescriptor(sortBy: [SortDescriptor(\.points, order: .reverse)], fetchLimit: 3),
    FetchDescriptor(
      predicate: #Predicate { $0.points > 0 }, sortBy: [SortDescriptor(\.points)], fetchLimit: 2,
      fetchOffset: 1),
  ]
}

extension LiveBoundaryTests.Player {
  var teamID: LiveBoundaryTests.Team.EntityID { .init(team) }
}

extension Store where State == LiveBoundaryTests.LeagueState {
  func invite(_ guests: [LiveBoundaryTests.Guest]) {
    commit { state in
      state.league.performBatchUpdates { context in
        for guest in guests { context.modifying.guests.insert(guest) }
      }
    }
  }

  func change(_ id: Int, _ edit: (inout LiveBoundaryTests.Player) -> Void) {
    commit { state in
      state.league.performBatchUpdates { context in
        _ = context.modifying.players.updateIfExists(id: .init(id), edit)
      }
    }
  }
}
