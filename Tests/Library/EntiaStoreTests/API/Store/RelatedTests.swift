import Dispatch
import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Relationships as live values, and handles")
struct RelatedTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  private let store: Store<Reading.State, Never>

  init() throws { store = Store(initialState: try Reading.State.sample()) }

  private func change(_ edit: (inout BatchContext<Reading.Library>) -> Void) throws {
    try store.commit { state in try state.library.performBatchUpdates { edit(&$0) } }
  }

  @Test("Law 22: an observer of a key is notified of changes of its two rows only")
  func toOne() throws {
    let author = store.related(Book.EntityID(1), \.bookAuthor, in: \.library)
    let received = Recorder<String?>()
    let derived = Tally()
    let subscription = author.sinkState(queue: .passthrough) { received.record($0.primitive?.name) }
    let comparisons = author.derived(
      .map { _ in
        derived.add()
        return 0
      })
    try change { _ = $0.modifying.books.updateIfExists(id: 2) { $0.title = "Other" } }
    try change { _ = $0.modifying.authors.updateIfExists(id: 2) { $0.name = "Bea" } }
    expectEqual(received.elements, ["Ann"])
    try change { _ = $0.modifying.books.updateIfExists(id: 1) { $0.authorID = 2 } }
    try change { _ = $0.modifying.authors.updateIfExists(id: 1) { $0.name = "Anne" } }
    try change { _ = $0.modifying.authors.updateIfExists(id: 2) { $0.name = "Bee" } }
    try change { _ = $0.modifying.books.remove(1) }
    expectEqual(received.elements, ["Ann", "Bea", "Bee", nil])
    expectEqual(comparisons.value, 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 20: the order of the holders is a part of the value, although no row differs")
  func orderOfHolders() throws {
    let author = Author.EntityID(1)
    let books = store.related(author, inverse: \.bookAuthor, in: \.library)
    let received = Recorder<[Int]>()
    let subscription = books.sinkState(queue: .passthrough) {
      received.record($0.primitive.map(\.id))
    }
    func check(_ comment: Comment) {
      let expected = store.state.library.view(of: author)?[inverse: \.bookAuthor].map(\.entity.id)
      expectEqual(books.value.map(\.id), expected, comment)
      expectEqual(received.last, expected, comment)
    }
    let first = try #require(books.value.first)
    try change { context in
      context.modifying.books.updateIfExists(id: first.entityID) { $0.authorID = 2 }
      context.modifying.books.updateIfExists(id: first.entityID) { $0.authorID = 1 }
      context.modifying.authors.updateIfExists(id: 2) { $0.name = "Bea" }
    }
    check("away and back")
    expectEqual(received.elements.count, 2)
    try change { context in
      context.modifying.books.remove(first.entityID)
      context.modifying.books.insert(first)
      context.modifying.books.updateIfExists(id: books.value[0].entityID) { $0.title = "Other" }
    }
    check("removed and inserted again")
    try store.undoGroup {
      try change { _ = $0.modifying.authors.updateIfExists(id: 2) { $0.name = "Bee" } }
      let second = books.value[0]
      try change { _ = $0.modifying.books.updateIfExists(id: second.entityID) { $0.authorID = 2 } }
      try change { _ = $0.modifying.books.updateIfExists(id: second.entityID) { $0.authorID = 1 } }
      check("in steps")
    }
    store.undo()
    check("undone")
    store.redo()
    check("redone")
    try change { context in
      let row = books.value[0]
      context.modifying.books.remove(row.entityID)
      context.modifying.books.insert(row)
    }
    check("a commit that changes no row")
    withExtendedLifetime(subscription) {}
  }

  @Test("Law 17: the insertion of a missing target is observed")
  func missing() throws {
    let store = Store<ClubState, Never>(initialState: ClubState())
    let members = store.related(Club.Team.EntityID(1), \.members, in: \.club)
    let received = Recorder<[Int]>()
    let subscription = members.sinkState(queue: .passthrough) {
      received.record($0.primitive.map(\.id))
    }
    store.change { $0.modifying.teams.insert(Club.Team(id: 1, memberIDs: [3, 1])) }
    store.change { $0.modifying.people.insert(Club.Member(id: 2)) }
    store.change { $0.modifying.people.insert(Club.Member(id: 1)) }
    store.change { $0.modifying.people.insert(Club.Member(id: 3)) }
    store.change { _ = $0.modifying.teams.updateIfExists(id: 1) { $0.memberIDs = [1, 2] } }
    store.change { _ = $0.modifying.people.remove(3) }
    expectEqual(received.elements, [[], [1], [3, 1], [1, 2]])
    withExtendedLifetime(subscription) {}
  }

  @Test("An inverse relationship is observed: added, removed and changed holders only")
  func inverse() throws {
    let books = store.related(Author.EntityID(2), inverse: \.bookAuthor, in: \.library)
    let received = Recorder<[String]>()
    let subscription = books.sinkState(queue: .passthrough) {
      received.record($0.primitive.map(\.title))
    }
    try change { _ = $0.modifying.books.updateIfExists(id: 1) { $0.title = "Of Ann" } }
    try change { _ = $0.modifying.books.updateIfExists(id: 2) { $0.authorID = 2 } }
    try change { _ = $0.modifying.books.updateIfExists(id: 2) { $0.title = "Of Bob" } }
    try change { _ = $0.modifying.books.updateIfExists(id: 2) { $0.authorID = 1 } }
    expectEqual(received.elements, [[], ["Book 2"], ["Of Bob"], []])
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "Law 22: of 1,000 observers of relationships, a commit of one row evaluates those of the row")
  func manyObservers() {
    let count = 1_000
    let store = Store<ClubState, Never>(initialState: ClubState())
    store.change { context in
      context.modifying.people.insert((0..<count).map { Club.Member(id: $0) })
      context.modifying.teams.insert(
        (0..<count).map { Club.Team(id: $0, memberIDs: [Club.Member.EntityID($0)]) })
    }
    let received = Recorder<[Int]>()
    let subscriptions = (0..<count).map { id in
      store.related(Club.Team.EntityID(id), \.members, in: \.club)
        .sinkState(queue: .passthrough) { received.record($0.primitive.map(\.level)) }
    }
    let looks = Tally()
    Club.Member.$comparisons.withValue(looks) {
      store.change { _ = $0.modifying.people.updateIfExists(id: 7) { $0.level = 1 } }
    }
    expectEqual(received.count, count + 1)
    expectEqual(received.last, [1])
    #expect(looks.count < 30)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "Law 20: relationships equal their recomputation after every step", arguments: 0..<scaled(10))
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<ClubState, Never>(initialState: ClubState())
    let queue = DispatchQueue(label: "observers")
    let lists = (0..<4).map { store.related(Club.Team.EntityID($0), \.members, in: \.club) }
    let teams = (0..<4).map {
      store.related(Club.Member.EntityID($0), inverse: \.members, in: \.club)
    }
    let received = (0..<4).map { _ in Recorder<[Club.Member]>() }
    let later = (0..<4).map { _ in Recorder<[Club.Team]>() }
    let subscriptions =
      zip(lists, received).map { list, received in
        list.sinkState(queue: .passthrough) { received.record($0.primitive) }
      }
      + zip(teams, later).map { team, later in
        team.sinkState(queue: .asyncSerialQueue(queue)) { later.record($0.primitive) }
      }
    for _ in 0..<60 {
      store.change { context in
        for _ in 0...Int.random(in: 0..<2, using: &random) {
          let id = Int.random(in: 0..<5, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1:
            let ids = (0..<3).map { _ in Int.random(in: 0..<5, using: &random) }
            let keys = Set(ids).sorted().map { Club.Member.EntityID($0) }
            context.modifying.teams.insert(Club.Team(id: id, memberIDs: keys))
          case 2, 3:
            let level = Int.random(in: 0..<3, using: &random)
            context.modifying.people.insert(Club.Member(id: id, level: level))
          case 4: _ = context.modifying.people.remove(Club.Member.EntityID(id))
          default: _ = context.modifying.teams.remove(Club.Team.EntityID(id))
          }
        }
      }
      let club = store.state.club
      for id in 0..<4 {
        let members = club.view(of: Club.Team.EntityID(id))?[\.members].map(\.entity) ?? []
        expectEqual(received[id].last, members, "seed \(seed)")
        let holders =
          club.view(of: Club.Member.EntityID(id))?[inverse: \.members].map(\.entity) ?? []
        if seed.isMultiple(of: 2) {
          queue.sync {}
          expectEqual(later[id].last, holders, "seed \(seed)")
        }
        expectEqual(teams[id].value, holders, "seed \(seed)")
      }
    }
    queue.sync {}
    for recorder in received {
      let values = recorder.elements
      expectTrue(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed)")
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test(
    "A handle returns the last known value of a removed entity, and the new one after its insertion"
  )
  func handle() throws {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, name: "one")]))
    let handle = try #require(store.handle(of: Item.EntityID(1), in: \.shop))
    expectNil(store.handle(of: Item.EntityID(2), in: \.shop))
    let received = Recorder<String>()
    let subscription = handle.sinkState(queue: .passthrough) {
      received.record("\($0.entity.name)\($0.isFallback ? " gone" : "")")
    }
    store.put(Item(id: 2))
    store.put(Item(id: 1, name: "uno"))
    store.drop(1)
    expectEqual(handle.value.name, "uno")
    expectTrue(handle.seen.value.isFallback)
    store.put(Item(id: 1, name: "back"))
    expectEqual(received.elements, ["one", "uno", "uno gone", "back"])
    expectFalse(handle.seen.value.isFallback)
    withExtendedLifetime(subscription) {}
  }

  @Test("A handle that nobody reads keeps the last value before the removal")
  func unreadHandle() throws {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, name: "one")]))
    let handle = try #require(store.handle(of: Item.EntityID(1), in: \.shop))
    store.put(Item(id: 1, name: "two"))
    store.put(Item(id: 1, name: "three"))
    store.drop(1)
    expectTrue(handle.value.name == "three" && handle.seen.value.isFallback)
  }

  @Test("Law 21: a slow observer of another value does not bring an older value of a handle back")
  func slowObserver() throws {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1, name: "v0")]))
    let handle = try #require(store.handle(of: Item.EntityID(1), in: \.shop))
    let queue = DispatchQueue(label: "slow")
    let (entered, resumed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let calls = Tally()
    let slow = store.sinkState(dropsFirst: true, queue: .asyncSerialQueue(queue)) { _ in
      calls.add()
      guard calls.count == 1 else { return }
      entered.signal()
      resumed.wait()
    }
    let seen = Recorder<String>()
    let subscription = handle.sinkState(queue: .asyncSerialQueue(queue)) {
      seen.record("\($0.primitive.entity.name) \($0.primitive.isFallback)")
    }
    queue.sync {}
    store.put(Item(id: 1, name: "v1"))
    entered.wait()
    store.put(Item(id: 1, name: "v2"))
    expectEqual(handle.value.name, "v2")
    resumed.signal()
    for _ in 0..<2 { queue.sync {} }
    store.drop(1)
    for _ in 0..<2 { queue.sync {} }
    expectEqual(handle.value.name, "v2")
    expectEqual(seen.elements.last, "v2 true", "\(seen.elements)")
    slow.cancel()
    subscription.cancel()
  }

  @Test("Handles are created from IDs and from the insertions of a batch")
  func handles() {
    let store = Store<_, Never>(initialState: ShopState(items: [Item(id: 1), Item(id: 3)]))
    let some = [3, 2, 1].compactMap { store.handle(of: Item.EntityID($0), in: \.shop) }
    expectEqual(some.map(\.id), [3, 1])
    let results = store.commit { state in
      state.shop.performBatchUpdates {
        $0.modifying.items.insert([Item(id: 7, name: "seven"), Item(id: 8)])
      }
    }
    let inserted = results.map { store.handle(of: $0.entity, in: \.shop) }
    store.drop(7)
    expectEqual(inserted.map(\.value.name), ["seven", ""])
    expectEqual(inserted.map(\.seen.value.isFallback), [true, false])
  }

  @Test("A query's groups and sections equal those of fetches")
  func groups() {
    let store = Store<_, Never>(
      initialState: ShopState(items: (0..<7).map { Item(id: $0, price: $0 % 3) }))
    let query = store.query(FetchDescriptor<Item> { $0.price < 2 }, in: \.shop)
    let groups = query.grouped(by: \.price)
    let sections = query.sections(by: \.price)
    let received = Tally()
    let subscription = groups.sinkState(queue: .passthrough) { _ in received.add() }
    store.put(Item(id: 2, price: 1))
    store.put(Item(id: 5, price: 9))
    expectEqual(received.count, 2)
    let descriptor = FetchDescriptor<Item> { $0.price < 2 }
    let expected = store.shop.fetchGrouped(descriptor, by: \.price)
    expectEqual(groups.value.map(\.key), expected.map(\.key))
    expectEqual(groups.value.map(\.entities), expected.map(\.entities))
    let cut = store.shop.fetchSections(descriptor, by: \.price)
    expectEqual(sections.value.map(\.entities), cut.map(\.entities))
    withExtendedLifetime(subscription) {}
  }
}
