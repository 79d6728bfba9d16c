import EntiaStore
import Testing

@Suite("Pointers to values elsewhere, parts that are computed, and elements of any collection")
struct RefElsewhereTests {
  struct Sound: Equatable, Sendable {
    var volume = 1
    var name = "a"
  }

  /// An object that no store knows.
  @MainActor
  final class Player {
    var sound = Sound() {
      didSet { for receive in receivers.values { receive(sound) } }
    }
    var receivers: [Int: (Sound) -> Void] = [:]
  }

  private static func pointer(to player: Player) -> Ref<Sound> {
    Ref(
      get: { MainActor.assumeIsolated { player.sound } },
      set: { sound in MainActor.assumeIsolated { player.sound = sound } },
      addObserver: { receive in
        MainActor.assumeIsolated { player.receivers[1] = receive }
        return StoreSubscription { MainActor.assumeIsolated { player.receivers[1] = nil } }
      })
  }

  @Test("A value elsewhere is read, written, observed and pointed into")
  @MainActor
  func elsewhere() throws {
    let player = Player()
    let told = Recorder<String>()
    do {
      let sound = Self.pointer(to: player)
      let volume = sound[\.volume]
      let label = sound.derived { "\($0.name)\($0.volume)" }
      let subscriptions = [
        volume.addObserver { told.record("\($0)") },
        sound.sinkState(dropsFirst: true, queue: .passthrough) { told.record($0.name) },
      ]
      volume.value += 1
      #expect(player.sound.volume == 2 && sound.value.volume == 2 && volume.value == 2)
      player.sound.name = "b"
      #expect(label.value == "b2" && sound.value.name == "b")
      #expect(
        try volume.update {
          $0 *= 10
          return $0
        } == 20)
      #expect(throws: Refused()) {
        try sound.update { sound in
          sound.volume = 0
          throw Refused()
        }
      }
      #expect(player.sound == Sound(volume: 20, name: "b"))
      #expect(told.elements == ["2", "a", "b", "20", "b"])
      // The value itself counts, also where its observer has not been called.
      player.receivers = [:]
      player.sound.volume = 5
      #expect(volume.value == 5)
      for subscription in subscriptions { subscription.cancel() }
      player.receivers[1] = { _ in }
    }
    #expect(player.receivers.isEmpty)
  }

  @Test("The end of an observation elsewhere is called once")
  func ends() {
    let ends = Tally()
    do {
      let subscription = StoreSubscription { ends.add() }
      subscription.cancel()
      subscription.cancel()
      #expect(ends.count == 1)
      _ = StoreSubscription { ends.add() }.storeWhileSourceActive()
    }
    #expect(ends.count == 2)
  }

  @Test("A computed part is written back, and what its setter refuses is reported or thrown")
  func mapped() {
    let problems = Recorder<String>()
    let fahrenheit = Ref(initialValue: 32.0) { problems.record("\($0)") }
    let celsius = fahrenheit.map(
      get: { ($0 - 32) / 1.8 },
      set: { whole, part in
        if part < -273 { throw Refused(reason: "too cold") }
        whole = part * 1.8 + 32
      })
    let told = Recorder<Double>()
    let subscription = celsius.addObserver { told.record($0) }
    celsius.value = 100
    #expect(fahrenheit.value == 212 && told.elements == [100])
    celsius.value = -300
    #expect(throws: Refused(reason: "too cold")) { try celsius.update { $0 = -300 } }
    #expect(fahrenheit.value == 212 && problems.count == 1)
    fahrenheit.value = 32
    #expect(told.elements == [100, 0])
    subscription.cancel()
  }

  /// A collection whose positions are no numbers.
  struct Days: MutableCollection, Equatable, Sendable {
    enum Day: Int, Comparable, Sendable {
      case monday, tuesday, end
      static func < (lhs: Day, rhs: Day) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    var monday = 1
    var tuesday: Int? = 2

    var startIndex: Day { .monday }
    var endIndex: Day { tuesday == nil ? .tuesday : .end }
    func index(after day: Day) -> Day { day == .monday ? .tuesday : .end }

    subscript(day: Day) -> Int {
      get { day == .monday ? monday : tuesday ?? 0 }
      set { if day == .monday { monday = newValue } else { tuesday = newValue } }
    }
  }

  @Test("Elements of a collection with any index, which may be gone")
  func anyIndex() {
    let problems = Recorder<String>()
    let days = Ref(initialValue: Days()) { problems.record("\($0)") }
    let tuesday = days[.tuesday]
    tuesday.value = 20
    #expect(days.value == Days(monday: 1, tuesday: 20))
    days.value.tuesday = nil
    #expect(tuesday.value == 20)
    tuesday.value = 30
    #expect(throws: RefError.lost(what: "element at that index of the Days")) {
      try tuesday.update { $0 = 30 }
    }
    #expect(days.value == Days(monday: 1, tuesday: nil) && problems.count == 1)

    let stock = Ref(initialValue: ["apples": 1, "pears": 2])
    let values = stock[\.values]
    let pears = values[values.value.firstIndex(of: 2) ?? values.value.startIndex]
    pears.value = 5
    #expect(stock.value == ["apples": 1, "pears": 5])
    let slice = Ref(initialValue: [1, 2, 3][1...])
    slice[2].value = 30
    #expect(slice.value == [2, 30])
  }
}
