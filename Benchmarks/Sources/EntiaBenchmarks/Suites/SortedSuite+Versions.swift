import EntiaCollections
import EntiaDatabase

extension Case {
  static let sortedInsert = Case(
    "insert one, old version alive",
    note: "64 commits upon a shared tree, other entries in each pass",
    bars: [.atMillion(of: Names.dictionaryFind, 28)]
  ) { stage in
    let original = stage.grownTree
    let array = SortedEntries(stage.viewsEntries)
    // New entries next to existing ones, distributed over the whole tree.
    let entries = stage.shuffledEntries.map {
      ViewsEntry(key: $0.key, id: Post.EntityID($0.id.raw + 2 * stage.size))
    }
    return [
      .passes(Names.entia, commitsOfPass, of: entries.count) { places in
        var tree = original
        for place in places {
          let old = tree
          tree.insert(entries[place])
          blackHole(old)
        }
        return tree.count
      },
      .yardstick(stage),
      .passes(Names.array, 1, of: entries.count) { places in
        var array = array
        for place in places {
          let old = array
          array.insert(entries[place])
          blackHole(old)
        }
        return array.entries.count
      },
    ]
  }

  static let sortedRemove = Case(
    "remove one, old version alive",
    note: "64 commits upon a shared tree, other entries in each pass",
    bars: [.atMillion(of: Names.dictionaryFind, 28)]
  ) { stage in
    let original = stage.grownTree
    let array = SortedEntries(stage.viewsEntries)
    let entries = stage.shuffledEntries
    return [
      .passes(Names.entia, commitsOfPass, of: entries.count) { places in
        var tree = original
        for place in places {
          let old = tree
          tree.remove(entries[place])
          blackHole(old)
        }
        return tree.count
      },
      .yardstick(stage),
      .passes(Names.array, 1, of: entries.count) { places in
        var array = array
        for place in places {
          let old = array
          array.remove(entries[place])
          blackHole(old)
        }
        return array.entries.count
      },
    ]
  }

  static let sortedPageAfterUpdate = Case(
    "first 50 after one update", note: "the old version alive; SQLite keeps none"
  ) { stage in
    var tree = stage.grownTree
    var treeEntries = stage.shuffledEntries
    var array = SortedEntries(stage.viewsEntries)
    var arrayEntries = treeEntries
    return [
      .passes(Names.entia, commitsOfPass, of: stage.size) { places in
        var sum = 0
        for place in places {
          let old = tree
          tree.remove(treeEntries[place])
          treeEntries[place].flip()
          tree.insert(treeEntries[place])
          for entry in tree.prefix(50) { sum &+= entry.id.raw }
          blackHole(old)
        }
        return sum
      },
      .yardstick(stage),
      .passes(Names.array, 1, of: stage.size) { places in
        var sum = 0
        for place in places {
          let old = array
          array.remove(arrayEntries[place])
          arrayEntries[place].flip()
          array.insert(arrayEntries[place])
          for entry in array.entries.prefix(50) { sum &+= entry.id.raw }
          blackHole(old)
        }
        return sum
      },
    ] + (try .sqliteFirstPages(stage))
  }
}
