import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("The output of encode(to:)")
struct EncodedTreeTests {
  private func names(_ tree: EncodedTree<Int>) -> [String] {
    guard case .object(let members) = tree.content else { return [] }
    return members.map(\.name)
  }

  @Test("A member has one value, in small and in large objects", arguments: [1, 16, 17, 40])
  func members(count: Int) {
    let tree = EncodedTree<Int>()
    tree.beginObject()
    let names = (0..<count).map { "m\($0)" }
    for name in names { tree.member(name).content = .leaf(1) }
    for name in names.reversed() { tree.member(name).content = .leaf(2) }
    expectEqual(self.names(tree), names)
    guard case .object(let members) = tree.content else { return }
    expectTrue(members.allSatisfy { if case .leaf(2) = $0.value.content { true } else { false } })
  }

  @Test("A value that encodes itself again has only the later members")
  func again() {
    let tree = EncodedTree<Int>()
    tree.beginObject()
    for index in 0..<40 { _ = tree.member("m\(index)") }
    tree.content = .leaf(1)
    tree.beginObject()
    _ = tree.member("m39")
    expectEqual(names(tree), ["m39"])
    // The content of another tree has its members.
    let other = EncodedTree<Int>()
    for index in 0..<40 { _ = tree.member("m\(index)") }
    other.content = tree.content
    _ = other.member("m20")
    expectEqual(names(other).count, 40)
  }

  @Test("A container that is no longer the value's adds nothing")
  func stale() {
    let tree = EncodedTree<Int>()
    tree.beginArray()
    _ = tree.appendElement()
    tree.content = .leaf(1)
    _ = tree.appendElement()
    _ = tree.member("a")
    expectEqual(tree.count, 0)
    guard case .leaf(1) = tree.content else { return expectTrue(Bool(false), "\(tree.content)") }
  }
}
