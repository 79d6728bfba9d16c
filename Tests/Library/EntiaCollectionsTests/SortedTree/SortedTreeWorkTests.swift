import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("SortedTree: work")
struct SortedTreeWorkTests {
  typealias Tree = Modelled<SlimElement>.Tree

  func tree(_ count: Int) -> Tree {
    Tree((0..<count).map { SlimElement(key: 2 * $0, id: 0) })
  }

  @Test("Law 4: beside a live version, a change copies one path")
  func copies() {
    for (count, height) in [(50, 0), (1_000, 2), (64_000, 4)] {
      var tree = tree(count)
      #expect(tree.height <= height)
      for step in 0..<200 {
        let place = "\(count) elements, step \(step)"
        let old = tree
        let inserted = SlimElement(key: (step * 7919) % (2 * count) | 1, id: step)
        let insertion = TableWork.counting { tree.insert(inserted) }
        // A split leaf is copied once, and what is split off is no copy.
        expectTrue((1...tree.height + 1).contains(insertion.copiedNodes), "\(place)")
        let middle = tree
        let removal = TableWork.counting { tree.remove(inserted) }
        // Each level may even a node out with its neighbour.
        expectTrue((1...2 * middle.height + 1).contains(removal.copiedNodes), "\(place)")
        expectEqual(old, tree, "\(place)")
      }
      expectEqual(tree.invariantViolations(), [])
    }
  }

  @Test("What changes nothing copies nothing, and is the same version")
  func nothing() {
    var tree = tree(1_000)
    let old = tree
    let work = TableWork.counting {
      let wasInserted = tree.insert(SlimElement(key: 500, id: 0))
      let removed = tree.remove(SlimElement(key: 501, id: 0))
      expectTrue(!wasInserted && removed == nil)
      expectTrue(tree == old && tree.differences(from: old) == [])
    }
    expectTrue(work.copiedNodes == 0 && work.visitedNodes == 0)
    expectTrue(tree.isIdentical(to: old))
  }

  @Test("Law 4: a tree owned alone is changed in place")
  func inPlace() {
    var tree = tree(2_000)
    let work = TableWork.counting {
      for key in 0..<2_000 { tree.insert(SlimElement(key: key, id: 1)) }
      for key in 0..<2_000 { tree.remove(SlimElement(key: 2 * key, id: 0)) }
    }
    expectEqual(work.copiedNodes, 0)
    expectTrue(tree.count == 2_000 && tree.invariantViolations() == [])
  }

  @Test("Law 7: with an old version held, changing again copies each node once")
  func again() {
    var tree = tree(2_000)
    let old = tree
    func changeAll() -> Int {
      TableWork.counting {
        for key in 0..<2_000 {
          tree.insert(SlimElement(key: 2 * key, id: 1))
          tree.remove(SlimElement(key: 2 * key, id: 1))
        }
      }.copiedNodes
    }
    #expect(changeAll() > 0)
    expectEqual((1...3).map { _ in changeAll() }, [0, 0, 0])
    expectEqual(tree, old)
  }

  @Test("Law 4: a comparison and a difference look only at what changed", arguments: [1, 10, 50])
  func differences(changes: Int) {
    for count in [1_000, 64_000] {
      let old = tree(count)
      var new = old
      for change in 0..<changes {
        new.insert(SlimElement(key: (change * 7919) % (2 * count) | 1, id: 0))
      }
      let difference = TableWork.counting {
        expectEqual(new.differences(from: old).count, changes)
      }
      expectTrue((1...changes * 4 * (new.height + 2)).contains(difference.visitedNodes), "\(count)")
      // Another change makes the counts equal, so that the trees have to be looked at.
      new.remove(new[count / 2])
      var other = old
      for change in 1..<changes { other.insert(SlimElement(key: 8 * change, id: 1)) }
      let comparison = TableWork.counting { expectTrue(new != other) }
      #expect(comparison.visitedNodes <= changes * 4 * (new.height + 2), "\(count)")
    }
  }

  @Test("Law 3: the difference finds its way when nodes were split, joined or taken away")
  func resynchronizes() {
    let old = tree(64_000)
    let changes: [(String, Range<Int>, Int)] = [
      ("a run removed", 20_000..<20_700, 0), ("a run inserted", 20_000..<20_700, 1),
      ("the front removed", 0..<700, 0), ("the end removed", 63_300..<64_000, 0),
    ]
    for (name, range, kind) in changes {
      var new = old
      for place in range {
        if kind == 0 {
          new.remove(SlimElement(key: 2 * place, id: 0))
        } else {
          new.insert(SlimElement(key: 2 * place, id: 1))
        }
      }
      let work = TableWork.counting {
        expectEqual(new.differences(from: old).count, range.count, "\(name)")
        expectEqual(old.differences(from: new).count, range.count, "\(name)")
      }
      #expect(work.visitedNodes < 400, "\(name)")
    }
  }
}
