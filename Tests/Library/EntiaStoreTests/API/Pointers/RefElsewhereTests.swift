import EntiaStore
import EntiaTestSupport
import Foundation
import Observation
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
    let received = Recorder<String>()
    do {
      let sound = Self.pointer(to: player)
      let volume = sound[\.volume]
      let label = sound.derived { "\($0.name)\($0.volume)" }
      let subscriptions = [
        volume.addObserver { received.record("\($0)") },
        sound.sinkState(dropsFirst: true, queue: .passthrough) { received.record($0.name) },
      ]
      volume.value += 1
      expectTrue(player.sound.volume == 2 && sound.value.volume == 2 && volume.value == 2)
      player.sound.name = "b"
      expectTrue(label.value == "b2" && sound.value.name == "b")
      try expectEqual(
        volume.update {
          $0 *= 10
          return $0
        }, 20)
      #expect(throws: Refused()) {
        try sound.update { sound in
          sound.volume = 0
          throw Refused()
        }
      }
      expectEqual(player.sound, Sound(volume: 20, name: "b"))
      expectEqual(received.elements, ["2", "a", "b", "20", "b"])
      // The value itself counts, also where its observer has not been called.
      player.receivers = [:]
      player.sound.volume = 5
      expectEqual(volume.value, 5)
      for subscription in subscriptions { subscription.cancel() }
      player.receivers[1] = { _ in }
    }
    expectTrue(player.receivers.isEmpty)
  }

  /// A number that several threads write, and that changes when it is observed.
  ///
  /// Sendable although its members are `var`s: every access goes through the lock.
  private final class Meter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 1
    private var receive: (@Sendable (Int) -> Void)?

    var value: Int { lock.withLock { number } }

    func update(_ body: (inout Int) throws -> Void) throws {
      let (receive, number) = try lock.withLock { () throws -> ((@Sendable (Int) -> Void)?, Int) in
        try body(&self.number)
        return (self.receive, self.number)
      }
      receive?(number)
    }

    /// Calls a closure for later changes; the first observation is a change itself.
    func observe(_ receive: @escaping @Sendable (Int) -> Void) -> StoreSubscription {
      lock.withLock {
        number += 1
        self.receive = receive
      }
      return StoreSubscription { self.lock.withLock { self.receive = nil } }
    }

    func ref() -> Ref<Int> { Ref(get: { self.value }, update: update, addObserver: observe) }
  }

  @Test("A change between the first read and the observation reaches the observers")
  func changedAtOnce() {
    let number = Meter().ref()
    let received = Recorder<Int>()
    let subscription = number.sinkState(queue: .passthrough) { received.record($0.primitive) }
    expectTrue(number.value == 2 && number.derived { $0 }.value == 2)
    number.value = 3
    expectEqual(received.elements, [2, 3])
    subscription.cancel()
    // A value that was received at once is newer than the one that was read.
    let early = Ref(
      get: { 1 }, set: { _ in },
      addObserver: { receive in
        receive(5)
        return StoreSubscription {}
      })
    expectEqual(early.derived { $0 }.value, 5)
  }

  @Test("A value elsewhere is not reduced")
  func unreduced() {
    struct Reduced: StateType {
      var number = 1
      static func reduce(modifying state: inout Reduced, previous: Reduced) { state.number = 0 }
    }
    let place = Recorder<Reduced>()
    place.record(Reduced())
    let pointer = Ref(
      get: { place.last ?? Reduced() }, set: { place.record($0) },
      addObserver: { receive in
        receive(Reduced(number: 7))
        return StoreSubscription {}
      })
    expectTrue(pointer.derived { $0 }.value.number == 7 && pointer.value.number == 1)
  }

  @Test("Concurrent writers lose no change if the place updates the value in one step")
  func atOnce() throws {
    let meter = Meter()
    let number = meter.ref()
    onThreads(4) { _ in
      for _ in 0..<1_000 { #expect(throws: Never.self) { try number.update { $0 += 1 } } }
    }
    expectEqual(number.value, 4_002)
    #expect(throws: Refused()) {
      try number.update { _ in throw Refused() }
    }
    try expectEqual(
      number.update {
        $0 = 0
        return "done"
      }, "done")
    expectEqual(meter.value, 0)
    let deaf = Ref(get: { 1 }, update: { _ in }, addObserver: { _ in StoreSubscription {} })
    #expect(throws: RefError.lost(what: "Int")) { try deaf.update { $0 = 2 } }
  }

  @Test("A tracked read returns the value at its place, and is notified of the next change")
  func tracked() {
    let meter = Meter()
    let number = meter.ref()
    let half = number.map(get: { $0 / 2 }, set: { $0 = 2 * $1 })
    let received = Tally()
    let read = withObservationTracking {
      [number.value, half.value]
    } onChange: {
      received.add()
    }
    expectTrue(read == [2, 1] && received.count == 0)
    half.value = 4
    expectTrue(received.count == 1 && number.value == 8 && half.value == 4)
  }

  @Test("The end of an observation elsewhere is called once")
  func ends() {
    let ends = Tally()
    do {
      let subscription = StoreSubscription { ends.add() }
      subscription.cancel()
      subscription.cancel()
      expectEqual(ends.count, 1)
      _ = StoreSubscription { ends.add() }.storeWhileSourceActive()
    }
    expectEqual(ends.count, 2)
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
    let received = Recorder<Double>()
    let subscription = celsius.addObserver { received.record($0) }
    celsius.value = 100
    expectTrue(fahrenheit.value == 212 && received.elements == [100])
    celsius.value = -300
    #expect(throws: Refused(reason: "too cold")) { try celsius.update { $0 = -300 } }
    expectTrue(fahrenheit.value == 212 && problems.count == 1)
    fahrenheit.value = 32
    expectEqual(received.elements, [100, 0])
    subscription.cancel()
  }

  /// A collection whose positions are no numbers.
  struct Days: MutableCollection, RandomAccessCollection, Equatable, Sendable {
    enum Day: Int, Comparable, Sendable {
      case monday, tuesday, end
      static func < (lhs: Day, rhs: Day) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    var monday = 1
    var tuesday: Int? = 2

    var startIndex: Day { .monday }
    var endIndex: Day { tuesday == nil ? .tuesday : .end }
    func index(after day: Day) -> Day { day == .monday ? .tuesday : .end }
    func index(before day: Day) -> Day { day == .end ? .tuesday : .monday }

    subscript(day: Day) -> Int {
      get { day == .monday ? monday : tuesday ?? 0 }
      set { if day == .monday { monday = newValue } else { tuesday = newValue } }
    }
  }

  @Test("Elements of a collection with any index, present or removed")
  func anyIndex() {
    let problems = Recorder<String>()
    let days = Ref(initialValue: Days()) { problems.record("\($0)") }
    let tuesday = days[.tuesday]
    tuesday.value = 20
    expectEqual(days.value, Days(monday: 1, tuesday: 20))
    days.value.tuesday = nil
    expectEqual(tuesday.value, 20)
    tuesday.value = 30
    #expect(throws: RefError.lost(what: "element at that index of the Days")) {
      try tuesday.update { $0 = 30 }
    }
    expectTrue(days.value == Days(monday: 1, tuesday: nil) && problems.count == 1)

    let stock = Ref(initialValue: ["apples": 1, "pears": 2])
    let pears = stock[\.["pears"]]
    pears.value = 5
    expectEqual(stock.value, ["apples": 1, "pears": 5])
    stock.value["apples"] = nil
    expectEqual(pears.value, 5)
    stock.value["pears"] = nil
    expectNil(pears.value)
    let slice = Ref(initialValue: [1, 2, 3][1...])
    slice[2].value = 30
    expectEqual(slice.value, [2, 30])
  }
}
