import Entia
import EntiaNeighbor
import EntiaTestSupport
import Testing

import struct EntiaNeighbor.IdentifiedArray
import typealias EntiaNeighbor.IdentifiedArrayOf

@Suite("Names: another library's first")
struct NeighborNameTests {
  struct Todo: Identifiable {
    let id: Int
  }

  @Test("A file that imports the other library's names gets those")
  func precedence() {
    let todos = IdentifiedArrayOf<Todo>(uniqueElements: [Todo(id: 1)], id: \.id)
    expectTrue((todos as Any) is any NeighborType)
    let numbers = IdentifiedArray(uniqueElements: [1], id: \.self)
    expectTrue((numbers as Any) is any NeighborType)
    expectEqual(Entia.IdentifiedArrayOf<Todo>(uniqueElements: todos.elements).ids, [1])
  }
}
