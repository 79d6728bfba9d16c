import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("The nodes of a tape")
struct JSONTapeNodesTests {
  private func node(_ start: Int) -> JSONTape.Node {
    JSONTape.Node(
      token: .null, hasEscapes: false, start: start, end: start + 4, next: start + 1, hint: 0)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 1_000])
  func `a copy does not change with the original`(count: Int) {
    var nodes = JSONTapeNodes((0..<count).map(node))
    expectEqual(nodes.map(\.start), Array(0..<count))
    let copy = nodes
    for index in nodes.indices { nodes[index].hint = 7 }
    expectTrue(copy.allSatisfy { $0.hint == 0 })
    expectTrue(nodes.allSatisfy { $0.hint == 7 })

    var emptied = nodes
    emptied.removeAll()
    emptied.append(node(5))
    expectEqual(emptied.map(\.start), [5])
    expectEqual(nodes.map(\.start), Array(0..<count))
  }
}
