import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("SortedTree: histories")
struct SortedTreeHistoryTests {
  /// Random insertions and removals with forks to older versions.
  func history<Element: TreeElement>(
    of _: Element.Type, keys: Int, seed: UInt64, steps: Int, every: Int
  ) {
    var random = SplitMix(seed: seed)
    var subject = Modelled<Element>()
    var kept: [Modelled<Element>] = []
    // Whether it rather grows or shrinks, in turns, so that nodes are split and joined again.
    var insertions = 6
    for step in 0..<steps {
      let place = "seed \(seed), step \(step)"
      let element = Element(
        key: Int.random(in: 0..<keys, using: &random), id: Int.random(in: 0..<3, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<insertions: subject.insert(element, place)
      case 9:
        if step % 7 == 0 { insertions = insertions == 6 ? 2 : 6 }
        if kept.count < 4 {
          kept.append(subject)
        } else {
          let index = Int.random(in: 0..<4, using: &random)
          if step % 5 == 0 { swap(&subject, &kept[index]) } else { kept[index] = subject }
        }
      default:
        // One that is there, as often as not.
        let index = Int.random(in: 0...subject.model.count, using: &random)
        subject.remove(
          index < subject.model.count && step % 3 > 0 ? subject.model[index] : element, place)
      }
      guard step % every == 0 else { continue }
      subject.check(place)
      // After every step of a small tree, its versions are checked seldom.
      for old in kept where every > 1 || step % 4 == 0 {
        old.check("\(place), kept")
        subject.checkDifferences(from: old, place)
      }
    }
  }

  @Test(
    "Laws 1–3, 5: a tree equals a sorted array after every step, and so does every version",
    arguments: [2, 7, 40], 1...UInt64(scaled(2)))
  func small(keys: Int, seed: UInt64) {
    history(of: SlimElement.self, keys: keys, seed: seed, steps: keys * 30, every: 1)
    history(of: WideElement.self, keys: keys, seed: seed, steps: keys * 30, every: 1)
  }

  @Test("Laws 1–3, 5: large trees of small nodes", arguments: 1...UInt64(scaled(1)))
  func largeOfSmallNodes(seed: UInt64) {
    history(of: WideElement.self, keys: 700, seed: seed &+ 100, steps: 8_000, every: 400)
  }

  @Test("Laws 1–3, 5: large trees of large nodes", arguments: 1...UInt64(scaled(1)))
  func largeOfLargeNodes(seed: UInt64) {
    history(of: SlimElement.self, keys: 6_000, seed: seed &+ 200, steps: 30_000, every: 3_000)
  }

  @Test("Every order of insertion and every order of removal, on unique and on shared storage")
  func allOrders() {
    let elements = (0..<6).map { WideElement(key: $0 / 2, id: $0 % 2) }
    for order in permutations(of: elements) {
      var unique = Modelled<WideElement>()
      var shared = Modelled<WideElement>()
      var versions: [Modelled<WideElement>] = []
      for element in order {
        unique.insert(element, "inserting \(order)")
        versions.append(shared)
        shared.insert(element, "inserting \(order) into copies")
      }
      unique.check("inserted \(order)")
      for element in order {
        unique.remove(element, "removing \(order)")
        versions.append(shared)
        shared.remove(element, "removing \(order) from copies")
      }
      unique.check("removed \(order)")
      for (index, version) in versions.enumerated() { version.check("\(order), version \(index)") }
    }
  }

  @Test("Every order of removing six of many elements")
  func allRemovals() {
    // 27 wide elements are several leaves under one node.
    let full = Modelled((0..<27).map { WideElement(key: $0, id: 0) })
    for order in permutations(of: [0, 4, 5, 13, 25, 26]) {
      var subject = full
      for key in order {
        subject.remove(WideElement(key: key, id: 0), "\(order)")
        subject.check("\(order), after \(key)")
      }
    }
    full.check("what was copied")
  }

  @Test("Trees that grow and shrink at one end", arguments: [true, false], [true, false])
  func ends(growsAtEnd: Bool, shrinksAtEnd: Bool) {
    var subject = Modelled<WideElement>()
    for step in 0..<1_000 {
      subject.insert(WideElement(key: growsAtEnd ? step : -step, id: 0), "step \(step)")
      if step % 100 == 0 { subject.check("step \(step)") }
    }
    let full = subject
    while let element = shrinksAtEnd ? subject.tree.last : subject.tree.first {
      subject.remove(element, "\(subject.model.count) left")
      if subject.model.count % 50 < 2 { subject.check("\(subject.model.count) left") }
    }
    expectNil(subject.tree.root)
    full.check("what was copied")
  }

  @Test("What is appended in order fills the leaves")
  func fill() {
    typealias Leaves = SortedLeafHandle<SlimElement>
    var tree = Modelled<SlimElement>.Tree()
    for key in 0..<10_000 { tree.insert(SlimElement(key: key, id: 0)) }
    var leaves = 0
    var span = SortedSpan<TreeLayout<SlimElement>>()
    var rank = 0
    while rank < tree.count {
      let found = span.seek(rank, in: tree)
      expectEqual(found.slot, 0)
      rank += found.count
      leaves += 1
    }
    expectEqual(leaves, (10_000 + Leaves.capacity - 1) / Leaves.capacity)
  }
}

/// All orders of some values.
func permutations<Value>(of values: [Value]) -> [[Value]] {
  if values.isEmpty { return [[]] }
  return values.indices.flatMap { index in
    var rest = values
    let value = rest.remove(at: index)
    return permutations(of: rest).map { [value] + $0 }
  }
}
