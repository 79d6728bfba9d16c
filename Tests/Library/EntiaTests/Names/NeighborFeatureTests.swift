import EntiaDatabase
import EntiaNeighbor
import EntiaTestSupport
import Testing

/// A feature of another architecture, with a storage in its state.
@Suite("Names: the database beside another library")
struct NeighborFeatureTests {
  struct Todo: Identifiable {
    let id: Int
  }

  @Test("A file that imports the database alone has the other library's store and array")
  func names() {
    let store = Store(state: FeatureState())
    store.state.rows = IdentifiedArrayOf<Todo>(uniqueElements: [Todo(id: 1)], id: \.id)
    store.state.desk.performBatchUpdates { $0.modifying.papers.insert(Paper(id: 1)) }
    expectTrue((store as Any) is any NeighborType)
    expectTrue((store.state.rows as Any) is any NeighborType)
    expectEqual(store.state.desk.fetchCount(FetchDescriptor<Paper>()), 1)
  }

  private struct FeatureState {
    var desk = Desk()
    var rows = IdentifiedArrayOf<Todo>(uniqueElements: [], id: \.id)
  }
}
