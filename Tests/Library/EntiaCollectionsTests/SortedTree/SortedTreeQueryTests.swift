import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("SortedTree: questions")
struct SortedTreeQueryTests {
  /// Keys that are even, each with up to three IDs, so that there are keys between and beyond.
  func subject<Element: TreeElement>(_ count: Int, _: Element.Type, seed: UInt64 = 1)
    -> Modelled<Element>
  {
    var random = SplitMix(seed: seed)
    var subject = Modelled<Element>()
    while subject.model.count < count {
      let element = Element(
        key: 2 * Int.random(in: 0...count / 2, using: &random),
        id: 2 * Int.random(in: 0..<3, using: &random))
      subject.insert(element, "seed \(seed)")
    }
    return subject
  }

  /// Every bound that means something else among these keys.
  func bounds(_ keys: ClosedRange<Int>) -> [SortedBound<Int>] {
    [.unbounded] + keys.flatMap { [.including($0), .excluding($0)] }
  }

  func expected<Element: TreeElement>(
    _ model: [Element], _ lower: SortedBound<Int>, _ upper: SortedBound<Int>
  ) -> [Element] {
    model.filter { element in
      let isAbove =
        switch lower {
        case .unbounded: true
        case .including(let key): element.key >= key
        case .excluding(let key): element.key > key
        }
      let isBelow =
        switch upper {
        case .unbounded: true
        case .including(let key): element.key <= key
        case .excluding(let key): element.key < key
        }
      return isAbove && isBelow
    }
  }

  /// Checks the ranges of all bounds, or of every few lower ones.
  func checkRanges<Element: TreeElement>(
    _ subject: Modelled<Element>, _ keys: ClosedRange<Int>, every step: Int = 1
  ) {
    let bounds = bounds(keys)
    for lower in stride(from: 0, to: bounds.count, by: step).map({ bounds[$0] }) {
      for upper in bounds {
        let place = "\(subject.model.count) elements, from \(lower) to \(upper)"
        let slice = subject.tree[subject.tree.ranks(from: lower, to: upper)]
        let wanted = expected(subject.model, lower, upper)
        expectEqual(Array(slice), wanted, "\(place)")
        expectEqual(Array(slice.reversed()), wanted.reversed(), "\(place), backward")
        expectEqual(slice.count, wanted.count, "\(place)")
        expectEqual(subject.tree.ranks(from: lower, to: upper), slice.startIndex..<slice.endIndex)
        var walked: [Element] = []
        let walk: (Element) -> Void = { walked.append($0) }
        slice.forEach(walk)
        expectEqual(walked, wanted, "\(place), by calls")
      }
    }
  }

  @Test("Every range with every bound, forward and backward", arguments: 0...9)
  func smallRanges(count: Int) {
    checkRanges(subject(count, WideElement.self), -1...(count + 2))
    checkRanges(subject(count, SlimElement.self), -1...(count + 2))
  }

  @Test("Ranges that begin and end in all sorts of leaves")
  func largeRanges() {
    // The tests of small trees have every range.
    checkRanges(subject(70, WideElement.self), -1...72, every: isScaled ? 1 : 5)
    let slim = subject(700, SlimElement.self)
    for start in stride(from: 0, through: 700, by: isScaled ? 31 : 93) {
      for end in stride(from: start, through: 700, by: 17) {
        let slice = slim.tree[start..<end]
        expectTrue(slice.elementsEqual(slim.model[start..<end]), "\(start)..<\(end)")
        expectEqual(
          Array(slice.reversed()), slim.model[start..<end].reversed(), "\(start)..<\(end)")
      }
    }
  }

  @Test("Ranks, places and the nth element", arguments: [0, 1, 5, 90, 1_500])
  func ranks(count: Int) {
    let wide = subject(min(count, 400), WideElement.self)
    let slim = subject(count, SlimElement.self)
    checkRanks(wide)
    checkRanks(slim)
  }

  func checkRanks<Element: TreeElement>(_ subject: Modelled<Element>) {
    let tree = subject.tree
    let model = subject.model
    expectEqual(tree.first, model.first)
    expectEqual(tree.last, model.last)
    expectNil(tree.nth(-1))
    expectNil(tree.nth(model.count))
    for (rank, element) in model.enumerated() {
      expectEqual(tree.rank(of: element), rank)
      expectTrue(tree.contains(element))
      expectEqual(tree.nth(rank), element)
      expectEqual(tree[rank], element)
      for id in [element.id - 1, element.id, element.id + 1] {
        let probe = Element(key: element.key, id: id)
        let precedings = subject.place(of: probe)
        expectEqual(tree.countPreceding(probe), precedings)
        expectEqual(tree.rank { Modelled.precedes($0, probe) }, precedings)
        if id != element.id { expectTrue(!tree.contains(probe) && tree.rank(of: probe) == nil) }
      }
      expectTrue(tree.ranks(of: element.key).contains(rank))
      expectTrue(tree.ranks(of: element.key + 1).isEmpty)
    }
  }

  @Test("Text keys: what has a prefix, and the page after an element")
  func textKeys() {
    typealias Names = SortedTree<KeyThenID<String, Int>>
    let words = ["Ann", "An", "Bo", "Anselm", "ann", "Ångström", "B", "Ab", "Anz", ""]
    let names = Names(words.enumerated().map { SortedEntry(key: $1, id: $0) })
    expectEqual(names.map(\.key), words.sorted())
    let start = names.countBelow("An")
    let end = names.rank { $0.key < "An" || $0.key.hasPrefix("An") }
    expectEqual(names[start..<end].map(\.key), ["An", "Ann", "Anselm", "Anz"])
    let after = names.countPreceding(SortedEntry(key: "Ann", id: 1))
    expectEqual(names[after...].prefix(3).map(\.key), ["Anselm", "Anz", "B"])
  }

  @Test("A slice of a slice keeps the ranks of the tree")
  func slices() {
    let subject = subject(300, WideElement.self)
    let slice = subject.tree[100..<200]
    expectEqual(slice[150], subject.model[150])
    expectEqual(Array(slice[150..<160]), Array(subject.model[150..<160]))
    expectTrue(slice.dropFirst(5).prefix(3).elementsEqual(subject.model[105..<108]))
    expectTrue(slice.first == subject.model[100] && slice.last == subject.model[199])
    expectEqual(Array(subject.tree.reversed()), subject.model.reversed())
  }

  @Test("A question costs comparisons in the logarithm of the elements")
  func comparisons() {
    let small = Modelled<SlimElement>.Tree((0..<1_000).map { SlimElement(key: $0, id: 0) })
    let large = Modelled<SlimElement>.Tree((0..<64_000).map { SlimElement(key: $0, id: 0) })
    func cost(_ tree: Modelled<SlimElement>.Tree, _ key: Int) -> Int {
      Comparisons.counting {
        _ = tree.countBelow(key)
        _ = tree.ranks(of: key)
      }
    }
    let costs = (cost(small, 500), cost(large, 32_000))
    expectTrue(costs.0 > 0 && costs.0 <= 3 * 2 * 10)
    #expect(costs.1 <= 3 * 2 * 16)
    expectEqual(Comparisons.counting { _ = large.nth(32_000) }, 0)
  }
}
