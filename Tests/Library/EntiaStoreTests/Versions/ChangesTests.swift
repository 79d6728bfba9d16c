import EntiaStore
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
    #expect(second.a == 2)
    #expect(second.previous?.a == 1)
    #expect(second.previous?.previous == nil)
    #expect(second.primitive == Value(a: 2, b: "x"))
    #expect(first.previous == nil)
    #expect(Changes("text").primitive == "text")
  }

  @Test("ifChanged calls its closure if the part changed, and returns the closure's result")
  func ifChanged() {
    #expect(second.ifChanged(\.a) { $0 * 10 } == 20)
    #expect(second.ifChanged(\.b) { $0 } == nil)
    #expect(second.ifChanged(\.c) { _ in true } == nil)
  }

  @Test("Without a previous value every ifChanged fires")
  func firstDelivery() {
    #expect(first.ifChanged(\.a) { $0 } == 1)
    #expect(first.ifChanged(\.b) { $0 } == "")
    #expect(first.ifChanged(\.a, \.b, \.c) { a, _, _ in a } == 1)
    #expect(first.ifChanged(\.d, by: Self.isAnything) { $0 } == 0)
    #expect(first.hasChanges(\.a))
    #expect(first.hasChanges)
  }

  @Test("Several key paths fire when at least one part changed")
  func several() {
    #expect(second.ifChanged(\.b, \.a) { b, a in "\(b)\(a)" } == "x2")
    #expect(second.ifChanged(\.b, \.c) { _, _ in true } == nil)
    #expect(second.ifChanged(\.b, \.c, \.d, \.a) { _, _, _, a in a } == 2)
    #expect(second.hasChanges(\.a, \.b))
    #expect(!second.hasChanges(\.b, \.c))
  }

  @Test("A custom comparison determines whether a part changed")
  func comparator() {
    let near = Changes(Value(d: 1.01), previous: Value(d: 1))
    let isNear: (Double, Double) -> Bool = { abs($0 - $1) < 0.1 }
    #expect(near.ifChanged(\.d) { $0 } == 1.01)
    #expect(near.ifChanged(\.d, by: isNear) { $0 } == nil)
    #expect(second.ifChanged(\.b, by: !=) { $0 } == "x")
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
    #expect(mapped.primitive == 4)
    #expect(mapped.previous?.primitive == 2)
    #expect(mapped.ifChanged { $0 } == 4)
    #expect(second.map(\.b).ifChanged { $0 } == nil)
    #expect(!second.map(\.b).hasChanges)
    #expect(first.map(\.a) == Changes(1))
    #expect(mapped != Changes(4))
  }
}
