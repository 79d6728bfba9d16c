import Dispatch
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 23: writers and readers on many threads")
struct ConcurrencyTests {
  /// Accounts whose sum never changes, and the number of commits that led here.
  struct Bank: StateType {
    var accounts = [100, 100, 100, 100]
    var commits = 0

    mutating func perform(_ transfer: Transfer) {
      accounts[transfer.from] -= transfer.amount
      accounts[transfer.to] += transfer.amount
      commits += 1
    }
  }

  struct Transfer: Sendable {
    let from: Int
    let to: Int
    let amount: Int

    init(_ random: inout SeededGenerator) {
      from = .random(in: 0..<4, using: &random)
      to = .random(in: 0..<4, using: &random)
      amount = .random(in: 0...5, using: &random)
    }
  }

  @Test("Every read is a state of the replayed commit log, in ascending order")
  func linearizable() {
    let writers = 4
    let commits = scaled(100)
    let store = Store<Bank, Never>(initialState: Bank())
    let sum = store.derived(.map { $0.accounts.reduce(0, +) })
    let last = store.derived(.select(\.commits))
    let log = Recorder<Transfer>()
    let received = Recorder<Bank>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.primitive) }
    let reads = (0..<4).map { _ in Recorder<Bank>() }

    onThreads(writers + reads.count) { thread in
      if thread < writers {
        var random = SeededGenerator(seed: UInt64(thread))
        for index in 0..<commits {
          let transfer = Transfer(&random)
          let isRefused = index % 10 == 9
          let number = try? store.commit { bank in
            bank.perform(transfer)
            if isRefused { throw Refused() }
            log.record(transfer)
            return bank.commits
          }
          expectEqual(number == nil, isRefused)
          // What a thread has committed it can read at once, itself and derived.
          if let number {
            #expect(store.state.commits >= number)
            #expect(last.value >= number)
          }
        }
      } else {
        for _ in 0..<commits {
          reads[thread - writers].record(store.state)
          expectEqual(sum.value, 400)
        }
      }
    }

    var replayed = Bank()
    var states = [replayed]
    for transfer in log.elements {
      replayed.perform(transfer)
      states.append(replayed)
    }
    expectEqual(store.state, replayed)
    expectEqual(log.count, writers * (commits - commits / 10))
    // An observer that is behind skips states, and ends with the current one.
    expectTrue(eventually { received.last == replayed })
    let commitsTold = received.elements.map(\.commits)
    expectEqual(received.elements, commitsTold.map { states[$0] })
    expectTrue(zip(commitsTold, commitsTold.dropFirst()).allSatisfy { $0 < $1 })
    for recorder in reads {
      let read = recorder.elements
      expectTrue(read.allSatisfy { $0 == states[$0.commits] })
      expectTrue(zip(read, read.dropFirst()).allSatisfy { $0.commits <= $1.commits })
    }
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "Observers that are added and removed on other threads receive states in order, including the last"
  )
  func subscribers() {
    let commits = scaled(100)
    let queue = DispatchQueue(label: "observers")
    let store = Store<Int, String>(initialState: 0)
    let doubled = store.derived(.map { $0 * 2 })
    let observers = 30
    let received = (0..<observers * 2).map { _ in Recorder<Int>() }
    let kept = Recorder<StoreSubscription>()

    onThreads(4) { thread in
      if thread < 2 {
        for _ in 0..<commits {
          store.commit { $0 += 1 }
          store.send("committed")
        }
      } else {
        for index in (0..<observers).map({ $0 + (thread - 2) * observers }) {
          let received = received[index]
          switch index % 4 {
          case 0:
            kept.record(store.sinkState(queue: .passthrough) { received.record($0.primitive) })
          case 1:
            kept.record(
              store.sinkState(queue: .asyncSerialQueue(queue)) { received.record($0.primitive) })
          case 2:
            kept.record(
              doubled.sinkState(queue: .passthrough) { received.record($0.primitive / 2) })
          default:
            let subscription = store.sinkState(queue: .passthrough) {
              received.record($0.primitive)
            }
            store.sinkActivity(queue: .passthrough) { _ in }.cancel()
            subscription.cancel()
          }
        }
      }
    }

    expectEqual(store.state, commits * 2)
    for (index, recorder) in received.enumerated() {
      if index % 4 != 3 { expectTrue(eventually { recorder.last == commits * 2 }, "\(index)") }
      let numbers = recorder.elements
      expectTrue(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(index)")
      expectFalse(numbers.isEmpty, "\(index)")
    }
    withExtendedLifetime(kept) {}
  }

  @Test(
    "No notification is lost: after every thread has ended, all observers have received the last state"
  )
  func wakeUps() {
    for round in 0..<scaled(34) {
      let queue = DispatchQueue(label: "observers")
      let store = Store<Int, Never>(initialState: 0)
      let direct = Recorder<Int>()
      let queued = Recorder<Int>()
      let subscriptions = [
        store.sinkState(queue: .passthrough) { direct.record($0.primitive) },
        store.sinkState(queue: .asyncSerialQueue(queue)) { queued.record($0.primitive) },
      ]
      onThreads(4) { _ in
        for _ in 0..<5 { store.commit { $0 += 1 } }
      }
      expectTrue(eventually { direct.last == 20 && queued.last == 20 }, "round \(round)")
      for numbers in [direct.elements, queued.elements] {
        expectTrue(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "round \(round)")
      }
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("Canceling races with deliveries: afterwards no observer is called and nothing is retained")
  func canceling() {
    for _ in 0..<scaled(17) {
      let store = Store<Int, Never>(initialState: 0)
      weak var token: Token?
      let received = Recorder<Int>()
      do {
        let strong = Token()
        token = strong
        let subscription = store.sinkState(queue: .passthrough) { state in
          withExtendedLifetime(strong) { received.record(state.primitive) }
        }
        onThreads(3) { thread in
          if thread == 0 {
            subscription.cancel()
          } else {
            for _ in 0..<20 { store.commit { $0 += 1 } }
          }
        }
      }
      // A call that was under way holds the closure until it ends.
      expectTrue(eventually { token == nil })
      let count = received.count
      store.commit { $0 += 1 }
      expectEqual(received.count, count)
    }
  }

  @Test("Stores are released while other threads commit to them and observe them")
  func lifetimes() {
    for _ in 0..<scaled(17) {
      let received = Recorder<Int>()
      weak var weakStore: Store<Int, Never>?
      do {
        let store = Store<Int, Never>(initialState: 0)
        weakStore = store
        let doubled = store.derived(.map { $0 * 2 })
        onThreads(4) { thread in
          doubled.sinkState(queue: .passthrough) { received.record($0.primitive) }
            .storeWhileSourceActive()
          for _ in 0..<5 { store.commit { $0 += 1 } }
        }
        expectEqual(doubled.value, 40)
        expectTrue(eventually { received.last == 40 })
      }
      // A delivery on a queue may hold the store's parts until it ends, but not the store.
      expectNil(weakStore)
    }
  }
}
