import EntiaDatabase

extension Suite {
  static let readingCases: [Case] = [
    .find, .findMissing, .findString, .findRawString, .findIn, .findSixteen, .iterate, .forEach,
  ]
}

extension Case {
  static let find = Case(
    "find, integer IDs", note: "in a shuffled order; SQLite reads one column of the row",
    bars: [.of(Names.dictionary, (0.65, 0.85, 1.0))]
  ) { stage in
    [
      .tableFind(Names.entia, stage.table, stage.postIDs),
      .dictionaryFind(Names.dictionary, stage),
      .arrayFind(stage.posts, stage.keys),
      .nestedFind(stage.nested, stage.keys),
    ] + (try .sqliteFind(stage, stage.keys))
  }

  static let findMissing = Case(
    "find, miss", bars: [.of(Names.dictionary, (0.5, 0.6, 1.2))]
  ) { stage in
    [
      .tableFind(Names.entia, stage.table, stage.missingIDs),
      .dictionaryFind(Names.dictionary, stage.dictionary, stage.missingKeys),
      .nestedFind(stage.nested, stage.missingKeys),
    ] + (try .sqliteFind(stage, stage.missingKeys))
  }

  static let findString = Case(
    "find, string IDs",
    note: "“post-123456”: at most 15 bytes, which lie in the string itself; the ID keeps its hash",
    bars: [.of(Names.dictionary, (0.2, 0.2, 0.35))]
  ) { stage in
    let table = Tables.Hash(stage.pages)
    let ids = stage.pageIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { sumOfPageScores(table, ids, $0) },
      .stringDictionaryFind(stage),
    ] + (try .sqliteFindString(stage))
  }

  static let findRawString = Case(
    "find from a raw string", note: "the ID is made, and the string hashed, in the loop",
    bars: [.of(Names.dictionary, (1.0, 1.0, 1.0))]
  ) { stage in
    let table = Tables.Hash(stage.pages)
    let keys = stage.stringKeys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= table.find(by: Page.EntityID(keys[place]))?.score ?? 1 }
        return sum
      },
      .stringDictionaryFind(stage),
    ]
  }

  static let findIn = Case("find many at once", note: "100 IDs a call; a row counts") { stage in
    let table = stage.table
    let dictionary = stage.dictionary
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 100, of: ids.count) { places in
        table.find(in: ids[places]).reduce(0) { $0 &+ $1.score }
      },
      .passes(Names.dictionary, 100, of: keys.count) { places in
        keys[places].compactMap { dictionary[$0] }.reduce(0) { $0 &+ $1.score }
      },
    ]
  }

  static let findSixteen = Case(
    "find 16 at once", note: "16 random IDs a call, which returns an array; a row counts",
    bars: [.of(Names.dictionary, (0.7, 0.6, 0.5))]
  ) { stage in
    let table = stage.table
    let dictionary = stage.dictionary
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .groups(Names.entia, of: ids.count) { places in
        table.find(in: ids[places]).reduce(0) { $0 &+ $1.score }
      },
      .groups(Names.dictionary, of: keys.count) { places in
        keys[places].compactMap { dictionary[$0] }.reduce(0) { $0 &+ $1.score }
      },
    ]
  }

  static let iterate = Case(
    "iterate, a row", bars: [.of(Names.array, (1.3, 1.2, 1.2))]
  ) { stage in
    [
      .tableSum(Names.entia, stage.table),
      .sum(Names.dictionary, stage.dictionary, stage.size) { dictionary in
        var sum = 0
        for post in dictionary.values { sum &+= post.score }
        return sum
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
      .sum(Names.nested, stage.nested, stage.size) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
    ] + (try .sqliteIterate(stage))
  }

  static let forEach = Case(
    "iterate by forEach, a row", bars: [.of(Names.array, (1.3, 1.2, 1.2))]
  ) { stage in
    [
      .sum(Names.entia, stage.table, stage.size) { table in
        var sum = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        table.forEach { sum &+= $0.score }
        return sum
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        var sum = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        array.forEach { sum &+= $0.score }
        return sum
      },
    ]
  }
}

/// Looks up pages by string ID: the hot loop, as a separate function so that its machine code is
/// easy to find.
@inline(never)
func sumOfPageScores(
  _ table: Tables.Hash<Page>, _ ids: [Page.EntityID], _ places: Range<Int>
) -> Int {
  var sum = 0
  for place in places { sum &+= table.find(by: ids[place])?.score ?? 1 }
  return sum
}

extension Contender {
  /// Visits the rows pass by pass, in groups of 16. A row counts as one operation.
  fileprivate static func groups(
    _ name: String, of count: Int, _ sum: @escaping (Range<Int>) -> Int
  ) -> Contender {
    passes(name, 16_000, of: count) { places in
      var total = 0
      for start in stride(from: places.lowerBound, to: places.upperBound, by: 16) {
        total &+= sum(start..<min(start + 16, places.upperBound))
      }
      return total
    }
  }
}
