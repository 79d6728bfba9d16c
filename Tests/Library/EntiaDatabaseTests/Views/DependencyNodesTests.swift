import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Dependencies of resolved values")
struct DependencyNodesTests {
  @Test("Recording a dependency copies none of the others")
  func recordsInPlace() {
    var nodes = DependencyNodes()
    let tokens = (0..<100).map { _ in nodes.begin() }
    let place = nodes.users.withUnsafeBufferPointer { $0.baseAddress }
    for (user, part) in zip(tokens.dropFirst(), tokens) { nodes.add(user, to: part) }
    expectEqual(nodes.users.withUnsafeBufferPointer { $0.baseAddress }, place)
    expectEqual(nodes.users.count { !$0.isEmpty }, 99)
  }

  @Test("Invalidated users are dropped when a list would grow")
  func dropsInvalidated() {
    var nodes = DependencyNodes()
    let part = nodes.begin()
    for _ in 0..<1_000 {
      let user = nodes.begin()
      nodes.add(user, to: part)
      nodes.end([user])
    }
    #expect(nodes.users[part.node].count < 10)
  }
}
