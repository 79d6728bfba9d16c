import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("Tasks of a store")
struct TaskTests {
  /// Holds tasks back until it is opened.
  actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
      if isOpen { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  @Test("A task returns the result of its work, and reports its error to the caller and the logger")
  func results() async throws {
    let failures = Recorder<String>()
    let store = Store<Int, Never>(
      initialState: 0,
      logger: StoreLogger { entry in
        if case .taskFailed(let key, let error) = entry { failures.record("\(key): \(error)") }
      })
    try await expectEqual(store.task { 5 }.value, 5)
    await #expect(throws: Refused(reason: "no net")) {
      try await store.task(key: .init("load")) { throw Refused(reason: "no net") }.value
    }
    expectEqual(failures.elements, [#"load: Refused(reason: "no net")"#])
  }

  @Test("A call that cancels a key inside another one returns after all tasks are canceled")
  func cancelingInside() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let key = StoreTaskKey("load")
    let gate = Gate()
    let (starts, found) = (Recorder<Bool>(), Recorder<Bool>())
    let second = Recorder<Task<Void, any Error>>()
    store.task(key: key) {
      await withTaskCancellationHandler {
        starts.record(true)
        await gate.pass()
      } onCancel: {
        store.cancelTasks(key: key)
        found.record(second.last?.isCancelled == true)
      }
    }
    second.record(store.task(key: key, mode: .waitInCurrent) { await gate.pass() })
    try await expectTrue(eventuallyAmongTasks { starts.count == 1 })
    store.cancelTasks(key: key)
    expectEqual(found.elements, [true])
    await gate.open()
    await store.waitForAllTasks()
  }

  @Test("dropCurrent cancels only unfinished tasks with the same key")
  func dropping() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let gate = Gate()
    let ends = Recorder<String>()
    let work: @Sendable (String) async -> Void = { name in
      await gate.pass()
      ends.record("\(name) \(Task.isCancelled ? "canceled" : "done")")
    }
    let other = store.task(key: .init("other")) { await work("other") }
    let first = store.task(key: .init("load")) { await work("first") }
    while ends.count == 0, first.isCancelled == false {
      // The second drops the first, wherever that has got to.
      store.task(key: .init("load"), mode: .dropCurrent) { await work("second") }
    }
    await gate.open()
    await store.waitForAllTasks()
    expectTrue(Set(ends.elements).isSuperset(of: ["other done", "second done"]))
    expectFalse(ends.elements.contains("first done"))
    expectFalse(other.isCancelled)
  }

  @Test("waitInCurrent runs one after another, in order")
  func waiting() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let steps = Recorder<String>()
    for number in 0..<20 {
      store.task(key: .init("save"), mode: .waitInCurrent) {
        steps.record("begin \(number)")
        await Task.yield()
        steps.record("end \(number)")
      }
    }
    await store.waitForAllTasks()
    expectEqual(steps.elements, (0..<20).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test(
    "A waiting task begins when all earlier tasks of its key have ended, whatever was canceled",
    arguments: 0..<scaled(8))
  func modes(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<Int, Never>(initialState: 0)
    let steps = Recorder<String>()
    let count = 24
    let gates = (0..<count).map { _ in Gate() }
    var tasks: [(isWaiting: Bool, task: Task<Void, any Error>)] = []
    for number in 0..<count {
      let isWaiting = Bool.random(using: &random)
      let task = store.task(key: .init("save"), mode: isWaiting ? .waitInCurrent : .dropCurrent) {
        steps.record("begin \(number)")
        await gates[number].pass()
        steps.record("end \(number)")
      }
      if !isWaiting { expectTrue(tasks.allSatisfy(\.task.isCancelled)) }
      tasks.append((isWaiting, task))
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        store.cancelTasks(key: .init("save"))
        expectTrue(tasks.allSatisfy(\.task.isCancelled))
      case 1: tasks.randomElement(using: &random)?.task.cancel()
      case 2, 3: await Task.yield()
      default: break
      }
    }
    for gate in gates.shuffled(using: &random) {
      await gate.open()
      await Task.yield()
    }
    await store.waitForAllTasks()
    let done = steps.elements
    for number in 0..<count where tasks[number].isWaiting {
      guard let begin = done.firstIndex(of: "begin \(number)") else { continue }
      for earlier in 0..<number where done.contains("begin \(earlier)") {
        expectTrue(done[..<begin].contains("end \(earlier)"))
      }
    }
    // A finished key holds nothing back.
    try await expectEqual(store.task(key: .init("save"), mode: .waitInCurrent) { 1 }.value, 1)
  }

  @Test("A waiting task awaits only the tasks that no other waiting task awaits")
  func awaitedTasks() async {
    let store = Store<Int, Never>(initialState: 0)
    let key = StoreTaskKey("save")
    let gate = Gate()
    for _ in 0..<3 { store.task(key: key) { await gate.pass() } }
    #expect(store.core.tasks.awaitedCount(of: key) <= 3)
    for _ in 0..<100 {
      store.task(key: key, mode: .waitInCurrent) { await gate.pass() }
      expectEqual(store.core.tasks.awaitedCount(of: key), 1)
    }
    store.task(key: key) { await gate.pass() }
    #expect(store.core.tasks.awaitedCount(of: key) <= 2)
    await gate.open()
    await store.waitForAllTasks()
    expectEqual(store.core.tasks.awaitedCount(of: key), 0)
  }

  @Test("Tasks without a key are independent of each other")
  func distinct() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let tasks = (0..<10).map { number in store.task { number } }
    for (number, task) in tasks.enumerated() { try await expectEqual(task.value, number) }
    expectTrue(StoreTaskKey.distinct() != .distinct())
    expectEqual(StoreTaskKey("a"), StoreTaskKey("a"))
  }

  @Test("Law 27: tasks are canceled with their store, and do not retain it")
  func ending() async throws {
    var store: Store<Int, Never>? = Store(initialState: 0)
    weak let watched = store
    let gate = Gate()
    let task = store?.task(key: .init("a")) {
      await gate.pass()
      return Task.isCancelled
    }
    let waiting = store?.task(key: .init("a"), mode: .waitInCurrent) { false }
    store = nil
    expectNil(watched)
    await gate.open()
    // It was canceled while it ran or before.
    let wasCanceled = await task?.result
    if case .success(let value)? = wasCanceled { expectTrue(value) }
    await #expect(throws: CancellationError.self) { _ = try await waiting?.value }
  }

  @Test("A key's tasks can be canceled, and all")
  func canceling() async throws {
    let store = Store<Int, Never>(initialState: 0)
    let gate = Gate()
    let one = store.task(key: .init("one")) { await gate.pass() }
    let two = store.task(key: .init("two")) { await gate.pass() }
    store.cancelTasks(key: .init("one"))
    expectTrue(one.isCancelled)
    expectFalse(two.isCancelled)
    store.cancelAllTasks()
    expectTrue(two.isCancelled)
    await gate.open()
    await store.waitForAllTasks()
  }
}
