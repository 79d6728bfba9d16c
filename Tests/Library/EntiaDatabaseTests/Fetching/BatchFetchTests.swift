import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Fetching inside a batch")
struct BatchFetchTests {
  @Test(
    "Law 12: fetches and views of a batch see its writes and removals, or those of before",
    arguments: [false, true])
  func pendingChanges(isShared: Bool) throws {
    var store = try Store.large(40)
    let copy = isShared ? store : nil
    try store.performBatchUpdates { context in
      let year3 = FetchDescriptor<Disc>(predicate: #Predicate { $0.year == 3 })
      expectEqual(context.pending.fetchCount(year3), 10)
      context.modifying.discs.insert(Disc(id: 100, title: "new", year: 3))
      context.modifying.discs.remove(.init(30))
      let all = context.fetch(year3).map(\.id)
      expectTrue(all.contains(100) && !all.contains(30) && all.count == 10)
      expectEqual(context.pending.fetchCount(year3), 10)
      let before = context.fetch(year3, includePendingChanges: false).map(\.id)
      expectTrue(before.contains(30) && !before.contains(100))
      let view = context.pending.view(of: Disc.EntityID(100))
      expectEqual(view?.title, "new")
      expectNil(context.current.view(of: Disc.EntityID(100)))
      expectNil(context.pending.view(of: Disc.EntityID(30)))
      // A view is a value: it shows the batch as it was when it was made.
      context.modifying.discs.updateIfExists(id: 100) { $0.title = "newer" }
      expectEqual(view?.title, "new")
      expectEqual(context.pending.view(of: Disc.EntityID(100))?.title, "newer")
      let pending = context.pending
      context.modifying.discs.remove(.init(100))
      expectTrue(pending.discs.contains(.init(100)) && !context.pending.discs.contains(.init(100)))
    }
    expectTrue(!store.discs.contains(.init(100)) && store.discs.count == 39)
    if let copy { expectTrue(copy.discs.contains(.init(30))) }
  }
}
