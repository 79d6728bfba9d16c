import Dispatch
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

@Suite("Live queries with a limit")
struct LiveBoundaryTests {
  @Test("Law 22: a changed row behind the first 50 is only compared with the last of them")
  func unconcerned() {
    let store = Store<_, Never>(initialState: Self.players(2_000))
    let descriptor = FetchDescriptor<Player>(
      predicate: #Predicate { $0.team >= 0 },
      sortBy: [SortDescriptor(\.points, order: .reverse)], fetchLimit: 50)
    let query = store.query(descriptor, in: \.league)
    let count = store.count(
      FetchDescriptor<Player>(predicate: #Predicate { $0.team > 9 }), in: \.league)
    let received = Recorder<[Player]>()
    let subscriptions = [
      query.sinkState(dropsFirst: true, queue: .passthrough) { received.record($0.primitive) },
      count.sinkState(dropsFirst: true, queue: .passthrough) { _ in received.record([]) },
    ]
    let core = query.source as? LiveQuerySource<LeagueState, League, Player>
    let before = core?.work ?? LiveWork()
    let compared = Tally()
    for id in 0..<1_000 {
      Points.$comparisons.withValue(compared) { store.change(id) { $0.note += 1 } }
    }
    expectEqual(received.count, 0)
    // The filter compares two rows a commit with the last loaded one, and evaluates no predicate
    // for the 1,000 rows behind it.
    let passed = core?.work ?? LiveWork()
    expectEqual(passed.comparisons - before.comparisons, 2_000)
    expectTrue(passed.rowsExamined == before.rowsExamined && passed.fetches == before.fetches)
    // Two rows a commit, which takes no more than two questions of the key's type for each.
    #expect(compared.count <= 4_000)
    // What is read is brought forward with as little.
    expectEqual(query.value.count, 50)
    expectEqual(core?.work, passed)
    Points.$comparisons.withValue(compared) { store.change(3) { $0.note += 1 } }
    _ = query.value
    expectEqual(core?.work.rowsExamined, passed.rowsExamined)
    expectEqual(core?.work.fetches, passed.fetches)
    expectEqual((core?.work.comparisons ?? 0) - passed.comparisons, 2)
    // A row that enters is seen, although so many commits were passed over.
    store.change(0) { $0.points.number = 5_000 }
    expectEqual(received.count, 1)
    expectEqual(received.last, store.league.fetch(descriptor))
    store.change(0) { $0.points.number = 0 }
    expectEqual(received.last, store.league.fetch(descriptor))
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 22: a query that is read after commits that do not affect it is not fetched again")
  func passedOver() {
    let store = Store<_, Never>(initialState: Self.players(2_000), undoDepth: 0)
    let points = SortDescriptor(\Player.points, order: .reverse)
    let query = store.query(FetchDescriptor<Player>(sortBy: [points], fetchLimit: 50), in: \.league)
    let count = store.count(
      FetchDescriptor<Player>(predicate: #Predicate { $0.team > 9 }), in: \.league)
    let subscriptions = [
      query.sinkState(queue: .passthrough) { _ in },
      count.sinkState(queue: .passthrough) { _ in },
    ]
    let core = query.source as? LiveQuerySource<LeagueState, League, Player>
    let number = count.source as? LiveCountSource<LeagueState, League, Player>
    expectTrue(core?.work.fetches == 1 && number?.work.fetches == 1)
    for id in 0..<100 {
      store.change(id) { $0.note += 1 }
      if id % 3 == 0 { expectTrue(query.value.count == 50 && count.value == 0) }
    }
    store.change(3) { $0.points.number = 5_000 }
    expectEqual(query.value.first?.id, 3)
    store.change(4) { $0.note += 1 }
    expectTrue(query.value.first?.id == 3 && count.value == 0)
    expectTrue(core?.work.fetches == 1 && number?.work.fetches == 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 22: a query that is read before its observer is called is not fetched again")
  func readFirst() {
    let store = Store<_, Never>(initialState: Self.players(2_000), undoDepth: 0)
    let points = SortDescriptor(\Player.points, order: .reverse)
    let query = store.query(FetchDescriptor<Player>(sortBy: [points], fetchLimit: 50), in: \.league)
    let read = Recorder<[Player]>()
    // The observer of the state is called before that of the query.
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { [query] state in
        if state.primitive.league.players.find(by: 3)?.points.number == 5_000 {
          read.record(query.value)
        }
      },
      query.sinkState(queue: .passthrough) { _ in },
    ]
    let core = query.source as? LiveQuerySource<LeagueState, League, Player>
    // The version for which the result was computed is released meanwhile.
    for id in 0..<100 { store.change(id) { $0.note += 1 } }
    store.change(3) { $0.points.number = 5_000 }
    expectEqual(read.last?.first?.id, 3)
    expectEqual(core?.work.fetches, 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 22: with an observer of the state, a filter is called once for each commit")
  func besideObserver() {
    let store = Store<_, Never>(initialState: Self.players(200))
    let points = SortDescriptor(\Player.points, order: .reverse)
    let query = store.query(FetchDescriptor<Player>(sortBy: [points], fetchLimit: 5), in: \.league)
    let (states, received) = (Tally(), Tally())
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { _ in states.add() },
      query.sinkState(dropsFirst: true, queue: .passthrough) { _ in received.add() },
    ]
    let core = query.source as? LiveQuerySource<LeagueState, League, Player>
    let before = core?.work ?? LiveWork()
    for id in 0..<100 { store.change(id) { $0.note += 1 } }
    let after = core?.work ?? LiveWork()
    expectTrue(states.count == 100 && received.count == 0)
    expectTrue(after.comparisons - before.comparisons == 200 && after.fetches == before.fetches)
    // The filters decide, and one that accepts a row is still followed by the observer.
    store.change(199) { $0.note += 1 }
    expectTrue(states.count == 101 && received.count == 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 22: an ordered table is compared once for all queries that it may affect")
  func orderedOnce() {
    func comparisons(_ queries: Int) -> Int {
      let store = Store<_, Never>(initialState: Self.players(10))
      store.invite((0..<50).map { Guest(id: Code(number: $0), points: 0) })
      let received = Tally()
      let counts = (0..<queries).map { number in
        let least = Double(number)
        return store.count(
          FetchDescriptor<Guest>(predicate: #Predicate { $0.points > least }), in: \.league)
      }
      let subscriptions = counts.map { count in
        count.sinkState(dropsFirst: true, queue: .passthrough) { _ in received.add() }
      }
      let compared = Tally()
      Guest.$comparisons.withValue(compared) {
        for id in 0..<20 {
          store.invite([Guest(id: Code(number: id), points: -1)])
        }
      }
      expectEqual(received.count, 0)
      store.invite([Guest(id: Code(number: 0), points: 1_000)])
      expectEqual(received.count, queries)
      withExtendedLifetime(subscriptions) {}
      return compared.count
    }
    let one = comparisons(1)
    expectTrue(one > 0 && comparisons(8) == one)
  }

  @Test("An observer that starts under load has a filter when it has caught up")
  func startUnderLoad() {
    let store = Store<_, Never>(initialState: Self.players(100))
    let points = SortDescriptor(\Player.points, order: .reverse)
    let query = store.query(FetchDescriptor<Player>(sortBy: [points], fetchLimit: 3), in: \.league)
    let left = Recorder<Int>()
    // Each comparison during the first delivery is overtaken by another commit.
    let interruption = Interruption(times: 2_000) {
      store.change(0) { $0.note += 1 }
      left.record(0)
    }
    let subscription = Points.$interruption.withValue(interruption) {
      query.sinkState(queue: .passthrough) { _ in store.change(0) { $0.note += 1 } }
    }
    #expect(left.count > 2)
    let isFiltered = eventually {
      store.core.broadcaster.contents.withLock {
        !$0.delivery.comparisonRequest.isKeyed && $0.delivery.comparisonRequest.filters.count == 1
      }
    }
    expectTrue(isFiltered)
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "Law 20: the first rows of an order are those of a fetch after every step, whatever the queue",
    arguments: 0..<scaled(4))
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<_, Never>(initialState: Self.players(seed.isMultiple(of: 2) ? 12 : 60))
    let queries = Self.descriptors().map { store.query($0, in: \.league) }
    let guestQueries = Self.guests.map { store.query($0, in: \.league) }
    let counts = Self.descriptors().map { store.count($0, in: \.league) }
    let queue = DispatchQueue(label: "observers")
    let received = queries.map { _ in Recorder<[Player]>() }
    let later = queries.map { _ in Recorder<[Player]>() }
    let guests = guestQueries.map { _ in Recorder<[Guest]>() }
    let numbers = counts.map { _ in Recorder<Int>() }
    var subscriptions = zip(queries, received).map { query, received in
      query.sinkState(queue: .passthrough) { received.record($0.primitive) }
    }
    // Queries of their own, whose results are not brought forward by the other observers.
    subscriptions += zip(Self.descriptors(), later).map { descriptor, later in
      store.query(descriptor, in: \.league)
        .sinkState(queue: .asyncSerialQueue(queue)) { later.record($0.primitive) }
    }
    subscriptions += zip(guestQueries, guests).map { query, guests in
      query.sinkState(queue: .passthrough) { guests.record($0.primitive) }
    }
    subscriptions += zip(counts, numbers).map { count, numbers in
      count.sinkState(queue: .passthrough) { numbers.record($0.primitive) }
    }
    for step in 0..<120 {
      store.commit { state in Self.edit(&state.league, &random, seed.isMultiple(of: 2) ? 12 : 60) }
      if random.number(in: 0..<6) == 0 { store.undo() }
      for (index, descriptor) in Self.descriptors().enumerated() {
        let expected = store.league.fetch(descriptor)
        let place = "seed \(seed), step \(step), query \(index)"
        // Another thread that delivers may have taken over the delivery here.
        try #require(eventually { received[index].last == expected }, "\(place): passthrough")
        let isCounted = eventually { numbers[index].last == expected.count }
        try #require(isCounted, "\(place): counted")
        if step.isMultiple(of: 5) {
          try #require(queries[index].value == expected, "\(place): read")
        }
      }
      for (index, descriptor) in Self.guests.enumerated() {
        let place = "seed \(seed), step \(step), guests \(index)"
        let expected = store.league.fetch(descriptor)
        try #require(eventually { guests[index].last == expected }, "\(place)")
      }
      // Several commits coalesce meanwhile.
      if !step.isMultiple(of: 7) { continue }
      queue.sync {}
      for (index, descriptor) in Self.descriptors().enumerated() {
        let expected = store.league.fetch(descriptor)
        let isEqual = eventually { later[index].last == expected }
        try #require(isEqual, "seed \(seed), step \(step), query \(index): later")
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 21: a commit that overlaps a delivery on another queue is delivered there too")
  func overlapping() {
    let store = Store<_, Never>(initialState: Self.players(100))
    let points = SortDescriptor(\Player.points, order: .reverse)
    let descriptor = FetchDescriptor<Player>(sortBy: [points], fetchLimit: 3) { $0.note == 0 }
    store.change(99) { $0.note = 1 }
    let queue = DispatchQueue(label: "observers")
    let received = Recorder<[Player]>()
    let subscriptions = [
      store.query(FetchDescriptor<Player>(sortBy: [points], fetchLimit: 3), in: \.league)
        .sinkState(queue: .passthrough) { _ in },
      store.query(descriptor, in: \.league)
        .sinkState(queue: .asyncSerialQueue(queue)) { received.record($0.primitive) },
    ]
    expectTrue(eventually { received.count == 1 })
    queue.sync {}
    queue.suspend()
    // It sorts before the last loaded row and does not match: it is posted and changes nothing.
    store.change(99) { $0.note = 2 }
    let interruption = Interruption {
      queue.resume()
      queue.sync {}
    }
    // The filter of one observer is called while the event of the other one is delivered.
    Points.$interruption.withValue(interruption) {
      store.change(0) { $0.points.number = 200 }
    }
    expectTrue(eventually { received.last == store.league.fetch(descriptor) })
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "Law 20: observers that start while others commit end with the rows of a fetch",
    arguments: 0..<scaled(4))
  func threads(seed: Int) {
    let store = Store<_, Never>(initialState: Self.players(60))
    let received = Recorder<(Int, Recorder<[Player]>)>()
    let kept = Recorder<StoreSubscription>()
    onThreads(4) { thread in
      var random = SeededGenerator(seed: UInt64(seed * 4 + thread))
      for step in 0..<60 {
        if thread == 0, step.isMultiple(of: 6) {
          for (index, descriptor) in Self.descriptors().enumerated() {
            let mine = Recorder<[Player]>()
            received.record((index, mine))
            kept.record(
              store.query(descriptor, in: \.league)
                .sinkState(queue: .passthrough) { mine.record($0.primitive) })
          }
        } else {
          store.commit { state in Self.edit(&state.league, &random, 60) }
        }
      }
    }
    for (index, mine) in received.elements {
      let expected = store.league.fetch(Self.descriptors()[index])
      expectTrue(eventually { mine.last == expected }, "seed \(seed), query \(index)")
    }
  }

  @Test(
    "Law 21: an observer of a query is notified if and only if its rows changed",
    arguments: 0..<scaled(8))
  func windows(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<_, Never>(initialState: Self.players(6))
    let descriptors = Self.descriptors() + [FetchDescriptor(fetchOffset: 4)]
    let received = Recorder<(query: Int, rows: [Player])>()
    let subscriptions = descriptors.enumerated().map { index, descriptor in
      store.query(descriptor, in: \.league)
        .sinkState(dropsFirst: true, queue: .passthrough) { received.record((index, $0.primitive)) }
    }
    var last = descriptors.map { store.league.fetch($0) }
    for step in 0..<shortened(300) {
      let before = received.count
      store.commit { state in Self.edit(&state.league, &random, 8) }
      let calls = received.elements[before...]
      for (index, descriptor) in descriptors.enumerated() {
        let rows = store.league.fetch(descriptor)
        let own = calls.filter { $0.query == index }.map { $0.rows }
        expectEqual(
          own, rows == last[index] ? [] : [rows],
          "seed \(seed), step \(step), query \(index)")
        last[index] = rows
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  private static func edit(_ league: inout League, _ random: inout SeededGenerator, _ domain: Int) {
    league.performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<4) {
        let id = random.number(in: 0..<domain)
        let number = random.number(in: 0..<8)
        // Few values, so that IDs and places decide between many rows; some without an order.
        let points = number == 7 ? Double.nan : Double(number)
        switch random.number(in: 0..<9) {
        case 0:
          let player = Player(id: id, points: Points(number: points), team: id % 4)
          context.modifying.players.insert(player)
        case 1: context.modifying.players.remove(Player.EntityID(id))
        case 2, 3:
          context.modifying.players.updateIfExists(id: .init(id)) { $0.points.number = points }
        case 4: context.modifying.players.updateIfExists(id: .init(id)) { $0.note = number }
        case 5: context.modifying.players.updateIfExists(id: .init(id)) { $0.team = number % 4 }
        case 6:
          context.modifying.teams.insert(Team(id: id % 4, isActive: number > 3))
        case 7:
          let guest = Guest(id: Code(number: id % 9), points: points)
          context.modifying.guests.insert(guest)
        default: context.modifying.guests.move(.init(Code(number: id % 9)), to: 0)
        }
      }
    }
  }
}
