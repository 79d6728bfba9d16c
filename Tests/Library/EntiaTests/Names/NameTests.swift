import Entia
import EntiaNeighbor
import EntiaTestSupport
import Testing

/// What `import Entia` brings into scope, in a file that imports another library too.
@Suite("Names")
struct NameTests {
  struct Todo: Identifiable, Equatable {
    let id: Int
  }

  /// Compiles only while none of these names is Entia's, which would be ambiguous or another type.
  @Test("What tables and indexes are built of is out of scope")
  func internals() {
    let types: [any NeighborType.Type] = [
      EntryKeyed.self, HashMixing.self, KeyThenID.self, KeyValueEntry.self, KeyedElements.self,
      NodeRef.self, PersistentOrderedTable.self,
      PersistentTable.self, SelfKeyed.self, SortedDifference.self, SortedElements.self,
      SortedEntry.self, SortedSlice.self,
      SortedTree.self, TableDifference.self, TableKey.self, TreeCollection.self,
    ]
    expectEqual(types.count, 17)
  }

  @Test("The names that users write are in scope, before those of another library")
  func collections() throws {
    var todos: IdentifiedArrayOf<Todo> = [Todo(id: 2), Todo(id: 1)]
    todos.move(from: 1, to: 0)
    expectEqual(todos.ids, [1, 2])
    let ids: OrderedIDs<Int> = todos.ids.union([3])
    expectEqual(ids.count, 3)
    let numbers = IdentifiedArray(id: \Int.self)
    expectTrue(numbers.isEmpty)
    let slice: IdentifiedArraySlice<Int, Todo> = todos[1...]
    let reversed: ReversedTreeCollection<IdentifiedArrayOf<Todo>> = todos.reversed()
    expectEqual(slice.map(\.id), [2])
    expectEqual(reversed.map(\.id), [2, 1])
    let changes: OrderedChanges<Int, Todo> = todos.changes(since: [])
    expectEqual(changes.inserted.count, 2)
    let policy: DuplicatePolicy<Todo> = .error
    #expect(throws: IdentifiedArrayError.self) {
      try todos.append(contentsOf: [Todo(id: 1)], duplicates: policy)
    }
    let bound: SortedBound<Int> = .including(1)
    expectTrue(bound != .unbounded)
    expectEqual(Identified("text", id: 7).count, 4)
    expectFalse(((todos as Any) is any NeighborType))
  }

  @Test("Another library's array and Entia's are made of each other")
  func conversion() {
    let todos = Entia.IdentifiedArrayOf<Todo>(uniqueElements: [Todo(id: 1)])
    let theirs = EntiaNeighbor.IdentifiedArrayOf<Todo>(
      uniqueElements: todos.elements, id: \.id)
    expectEqual(IdentifiedArrayOf(uniqueElements: theirs.elements), todos)
  }
}
