import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 27: random histories of owners")
struct LifetimeLawTests {
  @Test(
    "No closure, store or entity outlives its last owner, or ends before it",
    arguments: 0..<scaled(14))
  func history(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var owners = Owners()
    for step in 0..<120 {
      owners.perform(&random)
      let problem = owners.problem
      expectNil(problem, "seed \(seed), step \(step)")
      if problem != nil { return }
    }
    owners.releaseAll()
    expectNil(owners.problem, "seed \(seed), at the end")
    expectEqual(owners.living, 0, "seed \(seed), at the end")
  }

  struct Pet: EntityType, Identifiable {
    let id: Int
    let token: Token

    static func == (a: Pet, b: Pet) -> Bool { a.id == b.id && a.token === b.token }
  }

  struct Zoo: NormalizedStorageType {
    struct Contents: StorageContents {
      var pets = Tables.Hash<Pet>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("pets", \.pets) }
    }

    var snapshot = Snapshot(Contents())
    var pets: Tables.Hash<Pet> { snapshot.contents.pets }
  }

  struct ZooState: StateType {
    var zoo = Zoo()
    var count = 0
  }

  typealias ZooStore = Store<ZooState, String>

  /// Something that is watched: what a closure or a row holds.
  struct Life {
    weak var token: Token?
    let what: String

    init(_ what: String) { self.what = what }

    /// Begins it; only what the caller gives it to holds it.
    mutating func begin<Result>(_ body: (Token) throws -> Result) rethrows -> Result {
      let new = Token()
      token = new
      return try body(new)
    }
  }

  /// What is held on purpose, and what has lost its last owner.
  struct Owners {
    struct Held {
      let subscription: StoreSubscription
      var lives: [Life]
    }

    var store: ZooStore?
    weak var formerStore: ZooStore?
    var held: [Held] = []
    /// Subscriptions that the store holds; they can be canceled all the same.
    var stored: [Held] = []
    var derived: [(value: Derived<Int>, life: Life)] = []
    var layers: [(layer: StoreLayer<ZooState>, life: Life)] = []
    /// The rows that are in the state now.
    var pets: [Int: Life] = [:]
    /// Rows that the history, a draft of a result or an observer may still hold.
    var formerPets: [Life] = []
    var ended: [Life] = []
    /// Subscriptions that are held though they have ended.
    var canceled: [StoreSubscription] = []

    var living: Int {
      (held + stored).flatMap(\.lives).count + derived.count + layers.count + pets.count
    }

    var problem: String? {
      if formerStore != nil { return "a store outlives its last owner" }
      if let late = ended.first(where: { $0.token != nil }) {
        return "\(late.what) outlives its last owner"
      }
      let alive =
        (held + stored).flatMap(\.lives) + derived.map(\.life) + layers.map(\.life) + pets.values
      if let early = alive.first(where: { $0.token == nil }) {
        return "\(early.what) ended before its last owner"
      }
      return nil
    }

    mutating func perform(_ random: inout SeededGenerator) {
      let store = store ?? ZooStore(initialState: ZooState(), undoDepth: 2)
      self.store = store
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1: held.append(subscribe(to: store, &random))
      case 2:
        let new = subscribe(to: store, &random)
        new.subscription.storeWhileSourceActive()
        stored.append(new)
      case 3: if let old = Self.take(from: &held, &random) { ended += old.lives }
      case 4: cancel(Self.take(from: &held, &random))
      case 5: cancel(Self.take(from: &stored, &random))
      case 6: derive(from: store)
      case 7: if let old = Self.take(from: &derived, &random) { ended.append(old.life) }
      case 8: subscribeAndLetGo(&random)
      case 9, 10: put(Int.random(in: 0..<6, using: &random), into: store)
      case 11: drop(Int.random(in: 0..<6, using: &random), from: store)
      case 12: fail(store)
      case 13: addLayer(to: store, &random)
      case 14:
        store.send("hello")
        store.commit { $0.count += 1 }
      default:
        if Int.random(in: 0..<4, using: &random) == 0 { releaseStore() } else { calmDown(store) }
      }
    }

    private static func take<Element>(
      from list: inout [Element], _ random: inout SeededGenerator
    ) -> Element? {
      list.indices.randomElement(using: &random).map { list.remove(at: $0) }
    }

    private func subscribe(to store: ZooStore, _ random: inout SeededGenerator) -> Held {
      let kind = Int.random(in: 0..<5, using: &random)
      var life = Life("closure \(kind)")
      let subscription = life.begin { token in
        let hold: @Sendable () -> Void = { withExtendedLifetime(token) {} }
        return switch kind {
        case 0: store.sinkState(queue: .passthrough) { _ in hold() }
        case 1: store.sinkActivity(queue: .passthrough) { _ in hold() }
        case 2: store.derived(.select(\.count)).sinkState(queue: .passthrough) { _ in hold() }
        case 3:
          store.entity(Pet.EntityID(1), in: \.zoo).sinkState(queue: .passthrough) { _ in hold() }
        default:
          store.query(FetchDescriptor<Pet>(), in: \.zoo)
            .sinkDifferences(queue: .passthrough) { _ in hold() }
        }
      }
      return Held(subscription: subscription, lives: [life])
    }

    private mutating func cancel(_ old: Held?) {
      guard let old else { return }
      old.subscription.cancel()
      canceled.append(old.subscription)
      ended += old.lives
    }

    private mutating func derive(from store: ZooStore) {
      var life = Life("derivation")
      let value = life.begin { token in
        store.derived(.map { state in withExtendedLifetime(token) { state.count } })
      }
      _ = value.value
      derived.append((value, life))
    }

    /// From then on the subscription is the only owner of a derived value.
    private mutating func subscribeAndLetGo(_ random: inout SeededGenerator) {
      guard let (value, derivation) = Self.take(from: &derived, &random) else { return }
      var life = Life("closure of a derived value")
      let subscription = life.begin { token in
        value.sinkState(queue: .passthrough) { _ in withExtendedLifetime(token) {} }
      }
      held.append(Held(subscription: subscription, lives: [derivation, life]))
    }

    private mutating func put(_ id: Int, into store: ZooStore) {
      if let old = pets[id] { formerPets.append(old) }
      var life = Life("row \(id)")
      life.begin { token in
        store.commit { state in
          state.zoo.performBatchUpdates {
            _ = $0.modifying.pets.insert(Pet(id: id, token: token))
          }
        }
      }
      pets[id] = life
    }

    private mutating func drop(_ id: Int, from store: ZooStore) {
      store.commit { state in
        state.zoo.performBatchUpdates { _ = $0.modifying.pets.remove(Pet.EntityID(id)) }
      }
      if let old = pets.removeValue(forKey: id) { formerPets.append(old) }
    }

    private mutating func fail(_ store: ZooStore) {
      var life = Life("row of a commit that threw")
      _ = life.begin { token in
        #expect(throws: Refused.self) {
          try store.commit { state in
            state.zoo.performBatchUpdates {
              _ = $0.modifying.pets.insert(Pet(id: 9, token: token))
            }
            throw Refused()
          }
        }
      }
      ended.append(life)
    }

    private mutating func addLayer(to store: ZooStore, _ random: inout SeededGenerator) {
      if let (layer, life) = Self.take(from: &layers, &random) {
        layer.rollBack()
        ended.append(life)
        return
      }
      var life = Life("layer")
      do {
        let layer = try life.begin { token in
          try store.addLayer { state in withExtendedLifetime(token) { state.count += 100 } }
        }
        layers.append((layer, life))
      } catch {
        Issue.record(error)
      }
    }

    /// Ends whatever may remember a version, so that only rows of the current one are left.
    private mutating func calmDown(_ store: ZooStore) {
      for old in held { ended += old.lives }
      held = []
      while let old = stored.popLast() { cancel(old) }
      store.clearHistory()
      ended += formerPets
      formerPets = []
    }

    private mutating func releaseStore() {
      formerStore = store
      store = nil
      // What subscriptions hold ends with the store, whoever holds the subscription.
      for old in held + stored { ended += old.lives }
      ended += layers.map(\.life)
      layers = []
      stored = []
      // A derived value keeps its last value, and with it the state that it follows.
      ended += derived.map(\.life) + pets.values + formerPets
      derived = []
      formerPets = []
      pets = [:]
      canceled += held.map(\.subscription)
      held = []
    }

    mutating func releaseAll() { releaseStore() }
  }
}
