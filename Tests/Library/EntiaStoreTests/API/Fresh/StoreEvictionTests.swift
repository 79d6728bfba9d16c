import EntiaDatabase
import EntiaTestDomains
import Foundation
import Observation
import Testing

@testable import EntiaStore

@Suite("Eviction in a store")
struct StoreEvictionTests {
  private func ids(_ store: Store<Mailbox, Never>) -> [Int] {
    store.state.inbox.notes.map(\.id).sorted()
  }

  @Test("The oldest rows are evicted, in a commit that is no undo step")
  func evicting() throws {
    let store = try Store.mailbox(1...6)
    try store.commit { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 6) { $0.text = "edited" }
      }
    }
    store.evict(\.inbox, downTo: .rows(4), keeping: [.entity(Note.EntityID(2))])
    #expect(ids(store) == [2, 5, 6])
    // Undoing the edit restores the edited row only.
    #expect(store.undo() && ids(store) == [2, 5, 6] && !store.canUndo)
    #expect(store.state.inbox.notes.find(by: 6)?.text == "")
    let version = store.core.current.version
    store.evict(\.inbox, downTo: .rows(4))
    #expect(store.core.current.version == version)
  }

  @Test("Rows that observers, queries, answers and layers read are kept until they are not read")
  func reading() throws {
    let store = try Store.mailbox(1...9)
    let one = store.entity(Note.EntityID(1), in: \.inbox)
    let handle = try #require(store.handle(of: Note.EntityID(2), in: \.inbox))
    let query = store.query(FetchDescriptor<Note> { $0.id == 3 }, in: \.inbox)
    let counts = query.derived(.map(\.count))
    try store.answer(.all, [4], at: 10)
    let answer = store.query(NoteRequest.all, of: Note.self, in: \.inbox)
    let subscriptions = [
      one.sinkState(queue: .passthrough) { _ in }, handle.sinkState(queue: .passthrough) { _ in },
      counts.sinkState(queue: .passthrough) { _ in },
      answer.sinkState(queue: .passthrough) { _ in },
    ]
    let layer = try store.addLayer("Reply") { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.insert(Note(id: 20, parentID: 5))
        context.modifying.notes.updateIfExists(id: 6) { $0.text = "optimistic" }
      }
    }
    store.evict(\.inbox, downTo: .rows(0))
    #expect(ids(store) == [1, 2, 3, 4, 5, 6, 20])
    layer.rollBack()
    for subscription in subscriptions { subscription.cancel() }
    store.evict(\.inbox, downTo: .rows(1))
    #expect(ids(store) == [] && store.state.inbox.verify() == [])
    withExtendedLifetime((one, handle, query, counts, answer)) {}
  }

  @Test("Rows that Observation tracks are kept")
  func tracking() throws {
    let store = try Store.mailbox(1...3)
    withObservationTracking {
      _ = store.table(Note.self, in: \.inbox).find(by: 1)
    } onChange: {
    }
    store.evict(\.inbox, downTo: .rows(0))
    #expect(ids(store) == [1])
  }

  @Test(
    "In the background, small commits lead to the budget, beside other commits",
    .timeLimit(.minutes(1)))
  func background() async throws {
    let store = try Store.mailbox(1...2000)
    let sizes = Recorder<Int>()
    let observer = store.sinkState(queue: .passthrough) {
      sizes.record($0.primitive.inbox.notes.count)
    }
    let eviction = store.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(100), interval: .milliseconds(1)))
    while store.state.inbox.notes.count > 99 {
      store.commit { $0.name += "." }
      try store.commit { state in
        try state.inbox.performBatchUpdates { $0.modifying.notes.touch([2000], at: at(5000)) }
      }
      await Task.yield()
    }
    #expect(ids(store) == Array(1902...2000) && store.state.inbox.verify() == [])
    eviction.cancel()
    try store.receive((3000...3100).map { ($0, Double($0)) })
    try await Task.sleep(for: .milliseconds(20))
    #expect(store.state.inbox.notes.count == 200)
    observer.cancel()
  }

  @Test("The eviction does not retain its store", .timeLimit(.minutes(1)))
  func lifetime() async throws {
    var store: Store<Mailbox, Never>? = try Store.mailbox(1...10)
    weak let core = store?.core
    let eviction = store?.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(5), interval: .milliseconds(1)))
    store = nil
    while core != nil { await Task.yield() }
    withExtendedLifetime(eviction) {}
  }
}
