import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Observation
import Testing

@testable import EntiaStore

@Suite("Shapes that a store remembers")
struct ResolveTests {
  /// A member's level.
  struct Badge: EntityShape, Equatable {
    /// Counts how often badges are created, by the test that binds it.
    @TaskLocal static var created: Tally?

    let id: Int
    let level: Int

    init(_ member: ResolvingView<Club, Club.Member>) {
      Self.created?.add()
      id = member.id
      level = member.level
    }
  }

  /// A team with its members' badges.
  struct Roster: EntityShape, Equatable {
    @TaskLocal static var created: Tally?
    @TaskLocal static var store: Store<ClubState, Never>?

    let badges: [Badge]
    var other: Badge?

    init(_ team: ResolvingView<Club, Club.Team>) {
      Self.created?.add()
      badges = team[\.members, as: Badge.self]
      other = Self.store?.resolve(Badge.self, of: 9, in: \.club)
    }
  }

  private static func club() -> ClubState {
    var state = ClubState()
    do {
      try state.club.performBatchUpdates { context in
        for id in 0..<6 { context.modifying.people.insert(Club.Member(id: id, level: 10 + id)) }
        context.modifying.teams.insert(Club.Team(id: 1, memberIDs: [2, 0, 7]))
        context.modifying.teams.insert(Club.Team(id: 2, memberIDs: [1, 2]))
      }
    } catch {
      Issue.record(error)
    }
    return state
  }

  @Test("A shape is created again only when what it read has changed, however many commits later")
  func remembered() {
    let store = Store<ClubState, Never>(initialState: Self.club())
    let (rosters, badges) = (Tally(), Tally())
    Roster.$created.withValue(rosters) {
      Badge.$created.withValue(badges) {
        func levels() -> [Int]? {
          store.resolve(Roster.self, of: 1, in: \.club)?.badges.map(\.level)
        }
        expectEqual(levels(), [12, 10])
        for level in 0..<50 {
          store.change { _ = $0.modifying.people.updateIfExists(id: 3) { $0.level = level } }
          expectEqual(levels(), [12, 10])
        }
        expectEqual(rosters.count, 1)
        expectEqual(badges.count, 2)
        // One badge is another, the other one is kept.
        store.change { _ = $0.modifying.people.updateIfExists(id: 2) { $0.level = 20 } }
        expectEqual(levels(), [20, 10])
        expectEqual(rosters.count, 2)
        expectEqual(badges.count, 3)
        // A member that was missing is created.
        store.change { $0.modifying.people.insert(Club.Member(id: 7, level: 1)) }
        expectEqual(levels(), [20, 10, 1])
        expectEqual(badges.count, 4)
        store.undo()
        expectEqual(levels(), [20, 10])
        // Several at once, in the order asked.
        let several = store.resolve(Roster.self, of: [2, 5, 1], in: \.club)
        expectEqual(several.map { $0.badges.map(\.level) }, [[11, 20], [20, 10]])
        expectNil(store.resolve(Roster.self, of: 5, in: \.club))
        store.change { $0.modifying.teams.insert(Club.Team(id: 5, memberIDs: [])) }
        expectEqual(store.resolve(Roster.self, of: 5, in: \.club)?.badges, [])
        // Through a view of the store, the same shapes are remembered.
        let made = badges.count
        let scope = store.scope(\ClubState.self)
        expectEqual(scope.resolve(Roster.self, of: 1, in: \.club)?.badges.count, 2)
        expectEqual(badges.count, made)
      }
    }
  }

  @Test("A shape that resolves another through the store does not wait for itself")
  func nested() {
    let store = Store<ClubState, Never>(initialState: Self.club())
    store.change { $0.modifying.people.insert(Club.Member(id: 9, level: 99)) }
    let roster = Roster.$store.withValue(store) {
      store.resolve(Roster.self, of: 1, in: \.club)
    }
    expectEqual(roster?.other?.level, 99)
  }

  @Test("Inside a commit, shapes are of the state before it")
  func insideCommit() {
    let store = Store<ClubState, Never>(initialState: Self.club())
    store.change { context in
      context.modifying.teams.remove(1)
      expectEqual(store.resolve(Roster.self, of: 1, in: \.club)?.badges.count, 2)
    }
    expectNil(store.resolve(Roster.self, of: 1, in: \.club))
  }

  @Test("Reading a shape tracks its database")
  func tracked() {
    let store = Store<ClubState, Never>(initialState: Self.club())
    let changed = Tally()
    withObservationTracking {
      _ = store.resolve(Roster.self, of: 1, in: \.club)
    } onChange: {
      changed.add()
    }
    store.change { _ = $0.modifying.people.updateIfExists(id: 2) { $0.level = 20 } }
    expectEqual(changed.count, 1)
  }

  @Test(
    "Law 20: shapes equal those of a new resolver after every step, on all threads",
    arguments: 0..<scaled(4))
  func histories(seed: Int) {
    let store = Store<ClubState, Never>(initialState: Self.club())
    onThreads(4) { thread in
      var random = SeededGenerator(seed: UInt64(seed * 4 + thread))
      for _ in 0..<100 {
        let id = random.number(in: 0..<8)
        switch random.number(in: 0..<6) {
        case 0: store.change { $0.modifying.people.insert(Club.Member(id: id)) }
        case 1: store.change { _ = $0.modifying.people.remove(.init(id)) }
        case 2:
          let others = [(id + 1) % 8, (id + 3) % 8].map { Club.Member.EntityID($0) }
          store.change { $0.modifying.teams.insert(Club.Team(id: id % 3, memberIDs: others)) }
        case 3:
          store.change { _ = $0.modifying.people.updateIfExists(id: .init(id)) { $0.level += 1 } }
        default:
          // One version: a member of several teams has one level.
          let badges = store.resolve(Roster.self, of: [0, 1, 2], in: \.club).flatMap(\.badges)
          let levels = Dictionary(grouping: badges, by: \.id).mapValues { Set($0.map(\.level)) }
          expectTrue(levels.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
        }
      }
    }
    let pool = store.core.resolvers(at: \.club)
    expectTrue((1...4).contains(pool.count))
    // The next call keeps no resolver of an older version.
    store.change { $0.modifying.people.insert(Club.Member(id: 20)) }
    _ = store.resolve(Badge.self, of: 20, in: \.club)
    expectEqual(pool.count, 1)
    var resolver = Resolver<Club>()
    for id in 0..<3 {
      let expected = resolver.resolve(Roster.self, of: .init(id), in: store.state.club)
      expectEqual(
        store.resolve(Roster.self, of: .init(id), in: \.club), expected,
        "seed \(seed), team \(id)")
    }
  }
}
