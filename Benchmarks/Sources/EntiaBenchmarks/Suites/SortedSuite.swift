import BenchmarkReport
import EntiaCollections
import EntiaDatabase

extension Suite {
  /// The sorted tree of sorted indexes, compared with a sorted array and SQLite's index. The tree
  /// results from inserting entries one by one in a shuffled order.
  static let sorted = Suite(
    name: "sorted", summary: "the sorted tree behind sorted indexes", bytesPerRow: 600,
    check: checkSorted,
    cases: [
      .sortedNth, .sortedRank, .sortedStart, .sortedPage, .sortedIterate, .sortedBuild,
      .sortedShuffledBuild, .sortedPageAfterUpdate, .sortedDifference, .sortedBytes, .sortedInsert,
      .sortedRemove,
    ])

  /// Compares trees, built at once and one by one, with an array.
  private static func checkSorted(_ stage: Stage) throws {
    let entries = stage.viewsEntries
    var grown = stage.grownTree
    guard stage.viewsTree.elementsEqual(entries), grown.elementsEqual(entries) else {
      throw Disagreement("correctness at \(stage.size) rows: a tree is not in the array's order")
    }
    let old = grown
    let removed = stage.shuffledEntries.prefix(stage.size / 2)
    for (place, entry) in removed.enumerated() {
      guard grown.remove(entry) == entry else {
        throw Disagreement("correctness at \(stage.size) rows: \(entry) is not removed (\(place))")
      }
    }
    let gone = Set(removed.map(\.id))
    guard grown.elementsEqual(entries.filter { !gone.contains($0.id) }), old.elementsEqual(entries)
    else {
      throw Disagreement("correctness at \(stage.size) rows: removing disturbs the rest")
    }
    for (rank, entry) in entries.enumerated().prefix(10_000) {
      guard old.rank(of: entry) == rank, old[rank] == entry else {
        throw Disagreement("correctness at \(stage.size) rows: \(entry) is not the \(rank)th")
      }
    }
  }
}

extension Case {
  static let sortedIterate = Case(
    "iterate, an entry", bars: [.of(Names.array, (2, 3, 4))]
  ) { stage in
    [
      .sum(Names.entia, stage.grownTree, stage.size) { tree in
        var sum = 0
        for entry in tree { sum &+= entry.key ^ entry.id.raw }
        return sum
      },
      .sum(Names.array, stage.viewsEntries, stage.size) { array in
        var sum = 0
        for entry in array { sum &+= entry.key ^ entry.id.raw }
        return sum
      },
    ]
  }

  static let sortedBuild = Case(
    "build from sorted entries", bars: [.atMillion(of: Names.array, 3)]
  ) { stage in
    let entries = stage.viewsEntries
    return [
      .build(Names.entia, rows: entries.count, check: \.count) { ViewsTree(entries) },
      .build(Names.array, rows: entries.count, check: \.count) {
        var array: [ViewsEntry] = []
        for entry in entries { array.append(entry) }
        return array
      },
    ]
  }

  static let sortedShuffledBuild = Case(
    "insert, in place", note: "one by one into a tree owned alone, in a shuffled order"
  ) { stage in
    let entries = stage.shuffledEntries
    return [
      .build(Names.entia, rows: entries.count, check: \.count) {
        var tree = ViewsTree()
        for entry in entries { tree.insert(entry) }
        return tree
      },
      .yardstick(stage),
    ]
  }

  static let sortedDifference = Case(
    "difference, 100 changed", note: "100 entries are removed and inserted with another key"
  ) { stage in
    let old = stage.grownTree
    var new = old
    for entry in stage.shuffledEntries.prefix(stage.hundred) {
      new.remove(entry)
      new.insert(ViewsEntry(key: entry.key + 1_000_000, id: entry.id))
    }
    return [
      .calls(Names.entia, [old, new]) { $0[1].differences(from: $0[0]).count },
      .yardstick(stage),
    ]
  }

  static let sortedBytes = Case(
    "bytes an entry beyond itself", unit: .bytes, isCounted: true
  ) { stage in
    let entries = stage.viewsEntries
    let shuffled = stage.shuffledEntries
    let entry = MemoryLayout<ViewsEntry>.stride
    return [
      .bytes(Names.entia, of: entries.count, less: entry) { ViewsTree(entries) },
      .bytes("entia, one by one", of: entries.count, less: entry) {
        var tree = ViewsTree()
        for entry in shuffled { tree.insert(entry) }
        return tree
      },
      .bytes(Names.array, of: entries.count, less: entry) { entries.map { $0 } },
    ]
  }
}
