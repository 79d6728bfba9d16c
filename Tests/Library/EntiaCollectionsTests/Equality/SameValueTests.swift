import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// What equality means for values that are not equal to themselves.
@Suite("Values that hold a NaN")
struct SameValueTests {
  private struct Reading: Hashable {
    var name = "a"
    var value: Double
    var limits: [Float?] = []
    var tags: Set<String> = []
    var span: Span = .none
  }

  private enum Span: Hashable {
    case none
    case from(Double)
    case to(Double)
    indirect case both(Span, Span)
  }

  private final class Node: Equatable {
    static func == (lhs: Node, rhs: Node) -> Bool { false }
  }

  private struct Holder: Equatable {
    let node: Node
    var value = Double.nan
  }

  /// Equal to nothing by `==`, and with a part that has no equality.
  private struct Callback: Equatable {
    var value: Double
    let body: @Sendable () -> Void = {}
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
  }

  /// Hides its parts from reflection.
  private struct Sealed: Hashable, CustomReflectable {
    var value: Double
    var note: String
    var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  private struct Shown: Hashable, CustomReflectable {
    var value: Double
    var note: String
    var customMirror: Mirror { Mirror(self, children: ["value": value]) }
  }

  private let otherNaN = Double(nan: 1, signaling: false)

  @Test("Numbers: a NaN is the same as one with its bits, and zeros of both signs are equal")
  func numbers() {
    expectTrue(haveSameValue(Double.nan, .nan))
    expectFalse(haveSameValue(Double.nan, -.nan))
    expectFalse(haveSameValue(Double.nan, otherNaN))
    expectFalse(haveSameValue(Double.nan, 1))
    expectFalse(haveSameValue(1, Double.nan))
    expectTrue(haveSameValue(0.0, -0.0))
    expectTrue(haveSameValue(Float.nan, .nan))
    expectTrue(haveSameValue(Double?.some(.nan), .nan))
    expectFalse(haveSameValue(Double?.some(.nan), nil))
    expectTrue(haveSameValue(SIMD2<Float>(.nan, 1), SIMD2(.nan, 1)))
    expectFalse(haveSameValue(SIMD2<Float>(.nan, 1), SIMD2(.nan, 2)))
    expectTrue(haveSameValue(1.0..<2.0, 1.0..<2.0))
  }

  @Test("Structures, enumerations and lists are the same when all their parts are")
  func parts() {
    let reading = Reading(value: .nan, limits: [1, .nan, nil], tags: ["x", "y", "z"])
    expectTrue(reading != reading)
    expectTrue(haveSameValue(reading, reading))
    var other = Reading(value: .nan, limits: [1, .nan, nil], tags: ["z", "y", "x"])
    expectTrue(haveSameValue(reading, other))
    other.limits[1] = 2
    expectFalse(haveSameValue(reading, other))
    other = reading
    other.name = "b"
    expectFalse(haveSameValue(reading, other))
    other = reading
    other.value = 1
    expectTrue(!haveSameValue(reading, other) && !haveSameValue(other, reading))
    other = reading
    other.tags.remove("x")
    expectFalse(haveSameValue(reading, other))
    expectTrue(haveSameValue(Span.from(.nan), .from(.nan)))
    expectFalse(haveSameValue(Span.from(.nan), .to(.nan)))
    expectTrue(haveSameValue(Span.both(.from(.nan), .none), .both(.from(.nan), .none)))
    expectFalse(haveSameValue(Span.both(.from(.nan), .none), .both(.from(.nan), .to(1))))
    expectTrue(haveSameElements([Double.nan, 1], [.nan, 1]))
    expectFalse(haveSameElements([Double.nan, 1], [.nan, 2]))
    expectFalse(haveSameElements([Double.nan, 1], [.nan]))
  }

  @Test("Sets and dictionaries are compared whatever their order")
  func unordered() {
    struct Bag: Equatable {
      var value = Double.nan
      var set: Set<Double> = []
      var table: [Double: Double?] = [:]
    }
    let numbers = (1...40).map(Double.init)
    var bag = Bag(set: Set(numbers + [.nan]), table: [.nan: .nan, 1: nil])
    var other = Bag(set: Set([.nan] + numbers.reversed()), table: [1: nil, .nan: .nan])
    expectTrue(haveSameValue(bag, other))
    other.set.remove(7)
    expectFalse(haveSameValue(bag, other))
    other.set.insert(41)
    expectFalse(haveSameValue(bag, other))
    other.set = bag.set
    other.table[1] = .some(.nan)
    expectFalse(haveSameValue(bag, other))
    bag.table[1] = .some(.nan)
    expectTrue(haveSameValue(bag, other))
  }

  @Test(
    "References are compared by identity, closures not at all, and hidden parts count as changed")
  func opaque() {
    let node = Node()
    expectTrue(haveSameValue(Holder(node: node), Holder(node: node)))
    expectFalse(haveSameValue(Holder(node: node), Holder(node: Node())))
    expectTrue(haveSameValue(Callback(value: .nan), Callback(value: .nan)))
    expectFalse(haveSameValue(Callback(value: .nan), Callback(value: -.nan)))
    expectFalse(haveSameValue(Sealed(value: .nan, note: "a"), Sealed(value: .nan, note: "a")))
    expectFalse(haveSameValue(Sealed(value: .nan, note: "a"), Sealed(value: .nan, note: "b")))
    expectTrue(haveSameValue(Shown(value: .nan, note: "a"), Shown(value: .nan, note: "a")))
    expectFalse(haveSameValue(Shown(value: .nan, note: "a"), Shown(value: .nan, note: "b")))
  }

  @Test("Values that are the same have the same hash")
  func hashes() {
    let values = [Double.nan, -.nan, otherNaN, 0, -0.0, 1].flatMap { value in
      [Double.nan, 0, -0.0].map { Reading(value: value, limits: [Float($0), nil]) }
    }
    for first in values {
      for second in values where haveSameValue(first, second) {
        expectEqual(first.hashValue, second.hashValue)
        expectTrue(haveSameValue(second, first))
      }
    }
  }

  @Test("The order of values that hold a NaN is total, and they come last")
  func order() {
    let values = [1, .nan, -.infinity, -.nan, 0, otherNaN, 2, .infinity]
    let sorted = values.sorted(by: { precedesTotally($0, $1) })
    expectEqual(sorted.prefix(5), [-.infinity, 0, 1, 2, .infinity])
    expectEqual(sorted.dropFirst(5).map(\.bitPattern), [-.nan, .nan, otherNaN].map(\.bitPattern))
    for first in values {
      for second in values {
        let before = precedesTotally(first, second)
        let behind = precedesTotally(second, first)
        expectTrue(haveSameValue(first, second) ? !before && !behind : before != behind)
      }
    }
  }

  @Test("Deep values with a NaN need no deep stack")
  func depth() {
    func chain(_ end: Double) -> [Any] {
      var result: [Any] = [end]
      for _ in 0..<20_000 { result = [result] }
      return result
    }
    expectTrue(ReflectedParts.areSame(chain(.nan), chain(.nan)))
    expectFalse(ReflectedParts.areSame(chain(.nan), chain(1)))
  }
}
