import EntiaCollections

extension Suite {
  /// The tree behind sorted indexes: entries of a key and an ID, several IDs to a key.
  static let sorted = Suite(
    name: "sorted", summary: "the sorted tree, entries of two integers",
    cases: [
      .sortedNth, .sortedRank, .sortedRangeStart, .sortedInsert, .sortedRemove, .sortedIterate,
      .sortedBuild,
    ])
}

private typealias Entry = SortedEntry<Int, Int>
private typealias Tree = SortedTree<KeyThenID<Int, Int>>

/// How many commits a pass has.
private let commits = 64

/// In the order of their keys, which leave room for others between them.
private func entries(_ count: Int) -> [Entry] {
  (0..<count).map { Entry(key: $0 / 3 * 10, id: $0) }
}

private func shuffledEntries(_ count: Int) -> [Entry] {
  var generator = SplitMix64(seed: 3)
  return entries(count).shuffled(using: &generator)
}

/// Grown in no order, as an index is.
private func grownTree(_ count: Int) -> Tree { Tree(shuffledEntries(count)) }

extension Case {
  static let sortedNth = Case(
    "sorted: nth", bars: [.of(Names.dictionaryFind, (4, 4, 4))]
  ) { stage in
    let tree = grownTree(stage.size)
    let ranks = stage.keys.map { $0 - 1 }
    return [
      .passes(Names.entia, 20_000, of: ranks.count) { places in
        var sum = 0
        for place in places { sum &+= tree[ranks[place]].id }
        return sum
      },
      .yardstick(stage),
    ]
  }

  static let sortedRank = Case(
    "sorted: rank of an entry", bars: [.of(Names.dictionaryFind, (4, 4, 4))]
  ) { stage in
    let tree = grownTree(stage.size)
    let wanted = shuffledEntries(stage.size)
    return [
      .passes(Names.entia, 20_000, of: wanted.count) { places in
        var sum = 0
        for place in places { sum &+= tree.rank(of: wanted[place]) ?? -1 }
        return sum
      },
      .yardstick(stage),
    ]
  }

  static let sortedRangeStart = Case(
    "sorted: first of a range", bars: [.of(Names.dictionaryFind, (4, 4, 4))]
  ) { stage in
    let tree = grownTree(stage.size)
    let wanted = shuffledEntries(stage.size)
    return [
      .passes(Names.entia, 20_000, of: wanted.count) { places in
        var sum = 0
        for place in places {
          for entry in tree.slice(from: .including(wanted[place].key)) {
            sum &+= entry.id
            break
          }
        }
        return sum
      },
      .yardstick(stage),
    ]
  }

  static let sortedInsert = Case(
    "sorted: insert one, old version alive", bars: [.of(Names.dictionaryFind, (28, 28, 28))]
  ) { stage in
    let original = grownTree(stage.size)
    // Other ones in each pass, so that the caches do not know them.
    let added = shuffledEntries(stage.size).map { Entry(key: $0.key + 5, id: $0.id) }
    return [
      .passes(Names.entia, commits, of: added.count) { places in
        var tree = original
        for place in places {
          let old = tree
          tree.insert(added[place])
          blackHole(old)
        }
        return tree.count
      },
      .yardstick(stage),
    ]
  }

  static let sortedRemove = Case(
    "sorted: remove one, old version alive", bars: [.of(Names.dictionaryFind, (28, 28, 28))]
  ) { stage in
    let original = grownTree(stage.size)
    let removed = shuffledEntries(stage.size)
    return [
      .passes(Names.entia, commits, of: removed.count) { places in
        var tree = original
        for place in places {
          let old = tree
          tree.remove(removed[place])
          blackHole(old)
        }
        return tree.count
      },
      .yardstick(stage),
    ]
  }

  static let sortedIterate = Case(
    "sorted: iterate", bars: [.of(Names.array, (4, 4, 4))]
  ) { stage in
    [
      .sum(Names.entia, Tree(entries(stage.size)), \.count) { tree in
        var sum = 0
        for entry in tree { sum &+= entry.key ^ entry.id }
        return sum
      },
      .sum(Names.array, entries(stage.size), \.count) { array in
        var sum = 0
        for entry in array { sum &+= entry.key ^ entry.id }
        return sum
      },
    ]
  }

  static let sortedBuild = Case(
    "sorted: build from sorted entries", bars: [.of(Names.array, (3, 3, 3))]
  ) { stage in
    let source = entries(stage.size)
    return [
      .sum(Names.entia, source, \.count) { source in
        let tree = Tree(source)
        blackHole(tree)
        return tree.count
      },
      .sum(Names.array, source, \.count) { source in
        var array: [Entry] = []
        for entry in source { array.append(entry) }
        blackHole(array)
        return array.count
      },
    ]
  }
}
