import EntiaCollections
import EntiaDatabase

extension Case {
  static let sortedNth = Case(
    "nth", bars: [.atMillion(of: Names.dictionaryFind, 4)]
  ) { stage in
    let tree = stage.grownTree
    let array = stage.viewsEntries
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { sumOfNth(tree, keys, $0) },
      .yardstick(stage),
      .passes(Names.array, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= array[keys[place] - 1].key }
        return sum
      },
    ]
  }

  static let sortedRank = Case(
    "rank", bars: [.atMillion(of: Names.dictionaryFind, 4)]
  ) { stage in
    let tree = stage.grownTree
    let array = SortedEntries(stage.viewsEntries)
    let entries = stage.shuffledEntries
    return [
      .passes(Names.entia, 20_000, of: entries.count) { sumOfRanks(tree, entries, $0) },
      .yardstick(stage),
      .passes(Names.array, 20_000, of: entries.count) { places in
        var sum = 0
        for place in places { sum &+= array.rank(of: entries[place]) }
        return sum
      },
    ]
  }

  static let sortedStart = Case(
    "start of a range", note: "the first entry with a key or one behind it",
    bars: [.atMillion(of: Names.dictionaryFind, 4)]
  ) { stage in
    let tree = stage.grownTree
    let array = SortedEntries(stage.viewsEntries)
    let entries = stage.shuffledEntries
    return [
      .passes(Names.entia, 20_000, of: entries.count) { sumOfStarts(tree, entries, $0) },
      .yardstick(stage),
      .passes(Names.array, 20_000, of: entries.count) { places in
        var sum = 0
        for place in places {
          sum &+= array.entries[array.countBelow(entries[place].key)].id.raw
        }
        return sum
      },
    ] + (try .sqlitePages(stage, of: 1))
  }

  static let sortedPage = Case(
    "50 entries from a key", note: "a page of 50 counts as one operation"
  ) { stage in
    let tree = stage.grownTree
    let array = SortedEntries(stage.viewsEntries)
    let entries = stage.shuffledEntries
    return [
      .passes(Names.entia, 2_000, of: entries.count) { places in
        var sum = 0
        for place in places {
          let ranks = tree.ranks(from: .including(entries[place].key), to: .unbounded)
          for entry in tree[ranks].prefix(50) {
            sum &+= entry.id.raw
          }
        }
        return sum
      },
      .yardstick(stage),
      .passes(Names.array, 2_000, of: entries.count) { places in
        var sum = 0
        for place in places {
          let start = array.countBelow(entries[place].key)
          for entry in array.entries[start...].prefix(50) { sum &+= entry.id.raw }
        }
        return sum
      },
    ] + (try .sqlitePages(stage, of: 50))
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func sumOfNth(_ tree: ViewsTree, _ keys: [Int], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= tree[keys[place] - 1].key }
  return sum
}

@inline(never)
func sumOfRanks(_ tree: ViewsTree, _ entries: [ViewsEntry], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= tree.rank(of: entries[place]) ?? 0 }
  return sum
}

@inline(never)
func sumOfStarts(_ tree: ViewsTree, _ entries: [ViewsEntry], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places {
    let ranks = tree.ranks(from: .including(entries[place].key), to: .unbounded)
    sum &+= tree[ranks].first?.id.raw ?? 0
  }
  return sum
}
