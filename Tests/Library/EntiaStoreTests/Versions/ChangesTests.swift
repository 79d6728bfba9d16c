import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Changes")
struct ChangesTests {
  struct Value: StateType {
    var a = 0
    var b = ""
    var c: Int?
    var d = 0.0
  }

  private let first = Changes(Value(a: 1))
  private let second = Changes(Value(a: 2, b: "x"), previous: Value(a: 1, b: "x"))

  private static func isAnything(_ first: Double, _ second: Double) -> Bool { true }

  @Test("Members of the value are read directly, and so are those of the one before")
  func members() {
    expectEqual(second.a, 2)
    expectEqual(second.previous?.a, 1)
    expectNil(second.previous?.previous)
    expectEqual(second.primitive, Value(a: 2, b: "x"))
    expectNil(first.previous)
    expectEqual(Changes("text").primitive, "text")
  }

  @Test("ifChanged calls its closure if the part changed, and returns the closure's result")
  func ifChanged() {
    expectEqual(second.ifChanged(\.a) { $0 * 10 }, 20)
    expectNil(second.ifChanged(\.b) { $0 })
    expectNil(second.ifChanged(\.c) { _ in true })
  }

  @Test("Without a previous value every ifChanged fires")
  func firstDelivery() {
    expectEqual(first.ifChanged(\.a) { $0 }, 1)
    expectEqual(first.ifChanged(\.b) { $0 }, "")
    expectEqual(first.ifChanged(\.a, \.b, \.c) { a, _, _ in a }, 1)
    expectEqual(first.ifChanged(\.d, by: Self.isAnything) { $0 }, 0)
    expectTrue(first.hasChanges(\.a))
    expectTrue(first.hasChanges)
  }

  @Test("Several key paths fire when at least one part changed")
  func several() {
    expectEqual(second.ifChanged(\.b, \.a) { b, a in "\(b)\(a)" }, "x2")
    expectNil(second.ifChanged(\.b, \.c) { _, _ in true })
    expectEqual(second.ifChanged(\.b, \.c, \.d, \.a) { _, _, _, a in a }, 2)
    expectTrue(second.hasChanges(\.a, \.b))
    expectFalse(second.hasChanges(\.b, \.c))
  }

  @Test("A custom comparison determines whether a part changed")
  func comparator() {
    let near = Changes(Value(d: 1.01), previous: Value(d: 1))
    let isNear: (Double, Double) -> Bool = { abs($0 - $1) < 0.1 }
    expectEqual(near.ifChanged(\.d) { $0 }, 1.01)
    expectNil(near.ifChanged(\.d, by: isNear) { $0 })
    expectEqual(second.ifChanged(\.b, by: !=) { $0 }, "x")
  }

  @Test("What the closure throws comes through")
  func throwing() {
    #expect(throws: Refused.self) {
      try second.ifChanged(\.a) { _ in throw Refused() }
    }
  }

  @Test("map looks at both values")
  func map() {
    let mapped = second.map { $0.a * 2 }
    expectEqual(mapped.primitive, 4)
    expectEqual(mapped.previous?.primitive, 2)
    expectEqual(mapped.ifChanged { $0 }, 4)
    expectNil(second.map(\.b).ifChanged { $0 })
    expectFalse(second.map(\.b).hasChanges)
    expectEqual(first.map(\.a), Changes(1))
    expectTrue(mapped != Changes(4))
  }
}
