import Dispatch
import EntiaDatabase
import EntiaInspector
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("The observers and queries of an inspected store")
struct ObserverInspectionTests {
  private actor Cache {}

  @Test("Observers are listed with the values that they observe")
  func observers() throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect()
    expectTrue(inspection.observers.isEmpty)
    var subscriptions: [StoreSubscription] = []
    let through = DeliveryQueue.passthrough
    subscriptions.append(store.sinkState(queue: through) { _ in })
    let count = store.derived(.select(\.count))
    subscriptions.append(count.sinkState(queue: through) { _ in })
    subscriptions.append(count.derived(.map { "\($0)" }).sinkState(queue: through) { _ in })
    let queue = DispatchQueue(label: "entia.test")
    subscriptions.append(
      store.entity(Book.EntityID("b1"), in: \.library)
        .sinkState(queue: .asyncSerialQueue(queue)) { _ in })
    subscriptions.append(
      store.entities([Author.EntityID("a1"), "a2"], in: \.library).sinkState(on: Cache()) { _, _ in
      })
    subscriptions.append(
      store.related(Book.EntityID("b1"), \.bookAuthor, in: \.library)
        .sinkState(queue: through) { _ in })
    subscriptions.append(
      store.related(Author.EntityID("a1"), inverse: \.bookAuthor, in: \.library)
        .sinkState(queue: through) { _ in })
    subscriptions.append(store.sinkActivity(queue: through) { _ in })
    let both = Derived.combined(count, store.derived(.select(\.searchText)))
    subscriptions.append(both.sinkState(queue: through) { _ in })
    expectEqual(
      inspection.observers.map(\.description),
      [
        "1 AppState, on passthrough",
        "2 count, on passthrough",
        "3 String of count, on passthrough",
        "4 Book(\"b1\") in library, on queue entia.test",
        "5 2 of Author in library, on actor Cache",
        "6 bookAuthor of Book(\"b1\") in library, on passthrough",
        "7 holders by bookAuthor of Author(\"a1\") in library, on passthrough",
        "8 activities, on passthrough",
        "9 (Int, String) of count and searchText, on passthrough",
      ])
    subscriptions.removeFirst()
    subscriptions.removeLast(7)
    expectEqual(inspection.observers.map(\.number), [2])
    subscriptions = []
    expectTrue(inspection.observers.isEmpty)
  }

  @Test("Queries are listed with their plans, their observers and their work")
  func queries() throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect()
    let author = Author.EntityID("a1")
    let byAuthor = store.query(
      FetchDescriptor<Book>(predicate: #Predicate { $0.authorID == author }), in: \.library)
    let all = store.query(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: \.library)
    let number = store.count(FetchDescriptor<Author>(), in: \.library)
    let closure = store.query(FetchDescriptor<Author>(where: { $0.name == "Ann" }), in: \.library)
    let first = all.sinkState(queue: .passthrough) { _ in }
    let second = all.derived(.map(\.count)).sinkState(queue: .passthrough) { _ in }
    expectEqual(number.value, 2)
    store.commit { state in
      state.library.updateTitle("Zwei")
    }
    expectEqual(
      inspection.queries.map(\.description),
      [
        """
        query of Book in library: 2 observers, fetched 1 time, 2 changed rows examined
          Book: 3 of 3 rows by a scan of the table; sorted
            no index has the order of title: `@Index var … : Indexes.Sorted<Book, String> = \
        .init(\\.title)` would serve this
        """,
        """
        query of Book in library: 0 observers, fetched 0 times, 0 changed rows examined
          Book: 3 of 3 rows by a scan of the table; in the table's order, no sort
        """,
        """
        count of Author in library: 0 observers, fetched 1 time, 0 changed rows examined
          Author: 2 of 2 rows by a scan of the table; in the table's order, no sort
        """,
        """
        query of Author in library: 0 observers, fetched 0 times, 0 changed rows examined
          Author: 2 of 2 rows by a scan of the table; in the table's order, no sort
        """,
      ])
    withExtendedLifetime((byAuthor, all, number, closure, first, second)) {}
  }

  @Test("Parts that are saved or shared are listed")
  func parts() throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect(clock: StepClock())
    let saved = store.observeCommits(of: \.library, onCommit: {}, onEnd: {})
    let shared = try store.recordChanges(
      of: \.library, validate: { _ in }, onChange: { _, _, _ in }, onCommit: {}, onEnd: {})
    expectEqual(inspection.parts.map(\.description), ["library, saved", "library, shared"])
    // Saving goes on when the inspection ends.
    let commits = Mutex(0)
    let counting = store.observeCommits(
      of: \.count, onCommit: { commits.withLock { $0 += 1 } }, onEnd: {})
    inspection.stop()
    store.commit { $0.count += 1 }
    expectEqual(commits.withLock { $0 }, 1)
    saved?.observation.end()
    shared?.observation.end()
    counting?.observation.end()
    expectTrue(inspection.parts.isEmpty)
  }

  @Test("The text of an inspection has all its parts")
  func text() throws {
    let store = AppStore(initialState: try .sample())
    let inspection = store.inspect(clock: StepClock())
    expectEqual(inspection.description, "AppState: 0 commits")
    let all = store.query(FetchDescriptor<Book>(), in: \.library)
    let subscription = all.sinkState(queue: .passthrough) { _ in }
    store.commit("Search") { $0.searchText = "b" }
    expectEqual(
      inspection.description,
      """
      AppState: 1 commit
      commits:
        1 Search: changed in 1 ms, observers 1 ms: searchText
      observers:
        1 query of Book in library, on passthrough
      queries:
        query of Book in library: 1 observer, fetched 1 time, 0 changed rows examined
          Book: 3 of 3 rows by a scan of the table; in the table's order, no sort
      """)
    subscription.cancel()
  }
}

extension Library {
  fileprivate mutating func updateTitle(_ title: String) {
    do {
      try performBatchUpdates { context in
        context.modifying.books.updateIfExists(id: "b2") { $0.title = title }
      }
    } catch {
      Issue.record(error)
    }
  }
}
