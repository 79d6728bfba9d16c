import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaSystemSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Several parts of a state in one file")
struct SeveralPartsTests {
  /// Inserts one note into both parts, in one commit.
  static func insertIntoBoth(_ id: String, _ store: AppStore) {
    store.commit { state in
      state.shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: id, text: "s")) }
      state.other.performBatchUpdates { $0.modifying.notes.insert(Note(id: id, text: "o")) }
    }
  }

  static func ids(_ shop: Shop) -> [String] { shop.notes.map(\.id) }

  @Test("Each part is loaded as it was, from tables whose names begin with the name of the part")
  func roundTrip() async throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    var other = try DatabaseFile<Shop>(named: "other", in: file)
    expectTrue(file.name == "" && other.name == "other" && other.path == folder.file())
    let store = AppStore(
      initialState: AppState(shop: try file.load(), other: try other.load()))
    let keepers = [
      try store.keep(\.shop, in: file), try store.keep(\.other, in: other),
    ]
    store.insert("only in shop")
    Self.insertIntoBoth("both", store)
    for keeper in keepers { try await keeper.saved() }
    try expectEqual(
      file.withTurn { try $0.connection.value("SELECT text FROM other_notes WHERE id='both'") },
      .text("o"))
    try expectTrue(file.unclaimed.isEmpty && other.unclaimed.isEmpty)
    try file.close()
    #expect(throws: DatabaseFileError.isClosed(file: folder.file())) { try other.load() }
    file = try DatabaseFile(path: folder.file())
    // A part that is not opened is kept, and listed.
    try expectEqual(file.unclaimed.tables, ["other_notes"])
    other = try DatabaseFile(named: "other", in: file)
    try expectEqual(file.load().image, store.state.shop.image)
    try expectEqual(other.load().image, store.state.other.image)
    try expectTrue(file.unclaimed.isEmpty)
  }

  @Test(
    "Names of any kind are parts of their own",
    arguments: ["a.b", "a b", "A\"'", "é 🎈", "sqlite_x"])
  func names(name: String) throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    var shops = ["": Shop()]
    for (index, name) in ["", name, name + "x", "entia_file", "notes"].enumerated() {
      let part = name.isEmpty ? file : try DatabaseFile<Shop>(named: name, in: file)
      var shop = try part.load()
      shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "\(index)", text: name)) }
      try part.save(shop)
      shops[name] = shop
    }
    try file.close()
    file = try DatabaseFile(path: folder.file())
    for (name, shop) in shops {
      let part = name.isEmpty ? file : try DatabaseFile<Shop>(named: name, in: file)
      try expectEqual(part.load().image, shop.image, "\(name)")
    }
  }

  @Test("A commit that changes several parts is one transaction")
  func oneTransaction() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let other = try DatabaseFile<Shop>(named: "other", in: file)
    let store = AppStore(
      initialState: AppState(shop: try file.load(), other: try other.load()))
    let keeper = try store.keep(\.shop, in: file)
    let otherKeeper = try store.keep(\.other, in: other)
    expectTrue(keeper.saves === otherKeeper.saves)
    try await keeper.saved()
    let before = keeper.saves.attempts
    try file.withTurn { _ in
      Self.insertIntoBoth("a", store)
      // One commit, which both parts observe.
      expectEqual(keeper.status, .saving(pending: 1))
    }
    try await otherKeeper.saved()
    expectEqual(keeper.saves.attempts, before + 1)
    try expectTrue(Self.ids(file.load()) == ["a"] && Self.ids(other.load()) == ["a"])
  }

  @Test("When one of the parts cannot be stored, nothing of the commit is in the file")
  func failedPart() async throws {
    struct State: Equatable, Sendable {
      var shop = Shop()
      var refused = Refused()
    }
    let file = try DatabaseFile<Shop>.inMemory()
    let other = try DatabaseFile<Refused>(named: "refused", in: file)
    let store = Store<State, Never>(
      initialState: State(shop: try file.load(), refused: try other.load()))
    store.onProblem { _ in }.storeWhileSourceActive()
    let keeper = try store.keep(\.shop, in: file)
    let otherKeeper = try store.keep(\.refused, in: other)
    try await keeper.saved()
    store.commit { state in
      state.shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "a", text: "")) }
      state.refused.performBatchUpdates {
        $0.modifying.rows.insert(RefusedRow(id: 1, text: "bad"))
      }
    }
    let error = await #expect(throws: DatabaseFileError.self) { try await keeper.saved() }
    expectEqual(error?.description, ":memory:: row 1 of refused.rows cannot be stored: it is bad")
    try expectTrue(file.read().notes.isEmpty)
    expectEqual(keeper.status, otherKeeper.status)
    store.commit {
      $0.refused.performBatchUpdates {
        $0.modifying.rows.updateIfExists(id: 1) { $0.text = "good" }
      }
    }
    try await keeper.saved()
    try expectTrue(file.load() == store.state.shop && other.load() == store.state.refused)
  }

  @Test("A released part that cannot be stored keeps no other part from being saved")
  func releasedPart() async throws {
    struct State: Equatable, Sendable {
      var shop = Shop()
      var refused = Refused()
    }
    let file = try DatabaseFile<Shop>.inMemory()
    let other = try DatabaseFile<Refused>(named: "refused", in: file)
    let store = Store<State, Never>(
      initialState: State(shop: try file.load(), refused: try other.load()))
    let problems = Collected<String>()
    store.onProblem { problems.append($0.description) }.storeWhileSourceActive()
    let keeper = try store.keep(\.shop, in: file)
    var otherKeeper: DatabaseKeeper? = try store.keep(\.refused, in: other)
    try await otherKeeper?.saved()
    store.commit { state in
      state.shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "a", text: "")) }
      state.refused.performBatchUpdates {
        $0.modifying.rows.insert(RefusedRow(id: 1, text: "bad"))
      }
    }
    await #expect(throws: DatabaseFileError.self) { try await keeper.saved() }
    otherKeeper = nil
    store.commit { state in
      state.shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "b", text: "")) }
    }
    try await keeper.saved()
    try expectEqual(file.read(), store.state.shop)
    try expectTrue(other.load().rows.isEmpty)
    expectTrue(problems.all.allSatisfy { $0.contains("row 1 of refused.rows") })
    // The part can be kept again, and is saved when the row is corrected.
    let again = try store.keep(\.refused, in: other)
    await #expect(throws: DatabaseFileError.self) { try await again.saved() }
    store.commit {
      $0.refused.performBatchUpdates {
        $0.modifying.rows.updateIfExists(id: 1) { $0.text = "good" }
      }
    }
    try await again.saved()
    try expectEqual(other.load(), store.state.refused)
  }

  @Test(
    "Law 37: after power loss at any write or sync, the parts have the states of one commit",
    arguments: LawRuns(count: PowerLossLawTests.isSlow ? 200 : 5).seeds)
  func powerLoss(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func run(_ disk: FaultDisk, _ folder: TemporaryFolder) throws -> Int {
      var acknowledged = 0
      do {
        let file = try DatabaseFile<Shop>(
          path: folder.file(), configuration: disk.configuration(.durable))
        let other = try DatabaseFile<Shop>(named: "other", in: file)
        var (shop, otherShop) = (try file.load(), try other.load())
        for number in 0..<8 {
          let note = Note(id: "\(number)", text: "")
          shop.performBatchUpdates { $0.modifying.notes.insert(note) }
          otherShop.performBatchUpdates { $0.modifying.notes.insert(note) }
          // As a keeper saves a commit.
          try file.session.save([
            file.saving(shop, replacing: false, isKeeper: true),
            other.saving(otherShop, replacing: false, isKeeper: true),
          ])
          acknowledged = number + 1
        }
        try file.close()
      } catch is DatabaseFileError where disk.isCut {
        // Nothing that the process does after the cut reaches the disk.
      }
      return acknowledged
    }
    let whole = try FaultDisk()
    try expectEqual(run(whole, TemporaryFolder()), 8)
    for _ in 0..<4 {
      let operation = random.number(in: 1..<whole.operations + 1)
      let disk = try FaultDisk()
      disk.cutPower(at: operation)
      let folder = try TemporaryFolder()
      let acknowledged = try run(disk, folder)
      try disk.restart(seed: random.next())
      let file = try DatabaseFile<Shop>(path: folder.file())
      let other = try DatabaseFile<Shop>(named: "other", in: file)
      let (found, foundOther) = (try Self.ids(file.load()), try Self.ids(other.load()))
      expectEqual(found, foundOther, "seed \(seed), operation \(operation)")
      #expect(found.count >= acknowledged, "seed \(seed), operation \(operation)")
    }
  }

  @Test("A part of the file has one object and one keeper, which are told apart by their names")
  func refused() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    var other: DatabaseFile<Shop>? = try DatabaseFile(named: "other", in: file)
    let error = #expect(throws: DatabaseFileError.nameIsInUse(file: ":memory:", name: "other")) {
      try DatabaseFile<Shop>(named: "other", in: file)
    }
    expectEqual(
      error?.description,
      """
      :memory: has an open object of the storage "other": use that one, or another name
      """)
    #expect(throws: DatabaseFileError.nameIsInUse(file: ":memory:", name: "")) {
      try DatabaseFile<Shop>(named: "", in: file)
    }
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    #expect(throws: DatabaseFileError.isKept(file: ":memory:")) {
      try store.keep(\.other, in: file)
    }
    #expect(throws: DatabaseFileError.partIsKept(file: ":memory:")) {
      try store.keep(\.shop, in: other!)
    }
    #expect(throws: DatabaseFileError.isKept(file: ":memory:")) { try file.save(Shop()) }
    // The part that is not kept is saved directly.
    try other!.save(DatabaseFileTests.sample())
    try await keeper.saved()
    // An object that was released leaves its name, also when a keeper saved it last.
    var otherKeeper: DatabaseKeeper? = try store.keep(\.other, in: other!)
    Self.insertIntoBoth("x", store)
    otherKeeper = nil
    withExtendedLifetime(otherKeeper) {}
    other = nil
    other = try DatabaseFile(named: "other", in: file)
    try expectEqual(Self.ids(other!.load()), ["x"])
    try await keeper.saved()
  }

  @Test("Rows of a part that were not loaded are not removed, and do not hinder the other part")
  func notLoaded() async throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    var other = try DatabaseFile<Shop>(named: "other", in: file)
    try other.save(DatabaseFileTests.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file())
    other = try DatabaseFile(named: "other", in: file)
    let store = AppStore(initialState: AppState())
    #expect(throws: DatabaseFileError.notLoaded(file: file.path)) {
      try store.keep(\.other, in: other)
    }
    #expect(throws: DatabaseFileError.notLoaded(file: file.path)) { try other.save(Shop()) }
    let keeper = try store.keep(\.shop, in: file)
    store.insert("a")
    try await keeper.saved()
    try expectEqual(other.load(), DatabaseFileTests.sample())
    try expectEqual(Self.ids(file.load()), ["a"])
  }

  @Test("When one of two keepers is released, its part is saved and the other one goes on")
  func oneReleased() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let other = try DatabaseFile<Shop>(named: "other", in: file)
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    var otherKeeper: DatabaseKeeper? = try store.keep(\.other, in: other)
    try file.withTurn { _ in
      Self.insertIntoBoth("a", store)
      otherKeeper = nil
      withExtendedLifetime(otherKeeper) {}
    }
    // Waits for the last save of the part.
    try other.save(store.state.other)
    try expectEqual(Self.ids(other.load()), ["a"])
    Self.insertIntoBoth("b", store)
    try await keeper.saved()
    try expectTrue(Self.ids(file.load()) == ["a", "b"] && Self.ids(other.load()) == ["a"])
    // Kept again, it has what was committed meanwhile.
    let again = try store.keep(\.other, in: other)
    try await again.saved()
    try expectEqual(Self.ids(other.load()), ["a", "b"])
    expectTrue(again.saves === keeper.saves)
  }

  @Test("Keepers of several stores in one file save one after the other")
  func severalStores() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let other = try DatabaseFile<Shop>(named: "other", in: file)
    let (store, second) = (AppStore(initialState: .init()), AppStore(initialState: .init()))
    let keepers = [try store.keep(\.shop, in: file), try second.keep(\.other, in: other)]
    expectTrue(keepers[0].saves !== keepers[1].saves)
    for number in 0..<20 {
      store.insert("\(number)")
      Self.insertIntoBoth("\(number)", second)
    }
    for keeper in keepers { try await keeper.saved() }
    try expectTrue(file.load() == store.state.shop && other.load() == second.state.other)
  }

  @Test("Commits of several threads to both parts are counted, and saved in their order")
  func threads() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let other = try DatabaseFile<Shop>(named: "other", in: file)
    let store = AppStore(initialState: AppState())
    let keepers = [try store.keep(\.shop, in: file), try store.keep(\.other, in: other)]
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<25 { Self.insertIntoBoth("\(thread)/\(number)", store) }
        }
      }
    }
    for keeper in keepers { try await keeper.saved() }
    try expectEqual(file.load().image, store.state.shop.image)
    try expectEqual(other.load().image, store.state.other.image)
    expectEqual(Set(Self.ids(store.state.shop)).count, 100)
  }

  @Test("Each part has its own migrations")
  func migrations() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    var old: DatabaseFile<OldShop>? = try DatabaseFile(named: "books", in: file)
    try old!.save(OldShop.sample())
    try file.save(DatabaseFileTests.sample())
    old = nil
    try file.close()
    try expectEqual(
      DatabaseFile<NewShop>.migrationPlan(
        path: folder.file(), named: "books", migrations: NewShop.migrations
      ).pending.count, NewShop.migrations.count)
    try expectTrue(
      DatabaseFile<Shop>.migrationPlan(path: folder.file(), migrations: []).pending.isEmpty)
    file = try DatabaseFile(path: folder.file())
    struct Refusal: Error {}
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<NewShop>(
        named: "books", in: file,
        migrations: NewShop.migrations + [.custom("fails") { _ in throw Refusal() }])
    }
    for _ in 0..<2 {
      let new = try DatabaseFile<NewShop>(
        named: "books", in: file, migrations: NewShop.migrations)
      try expectEqual(new.load(), NewShop.migratedSample())
      try expectEqual(file.load(), DatabaseFileTests.sample())
      try file.close()
      file = try DatabaseFile(path: folder.file())
    }
    #expect(throws: DatabaseFileError.self) { try DatabaseFile<OldShop>(named: "books", in: file) }
  }
}
