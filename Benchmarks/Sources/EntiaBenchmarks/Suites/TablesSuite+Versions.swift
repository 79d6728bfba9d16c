import EntiaDatabase

extension Suite {
  static let versionCases: [Case] = [
    .updateOne, .insertOne, .removeOne, .updateHundred, .difference, .equality, .merge,
  ]
}

/// The number of commits in a pass.
let commitsOfPass = 64

extension Case {
  static let updateOne = Case(
    "update one, old version alive", bars: [.of(Names.dictionaryFind, (40, 45, 16))]
  ) { stage in
    var table = Tables.Hash(stage.posts)
    var dictionary = Stage.dictionary(stage.posts)
    var nested = stage.nested
    let keys = stage.keys
    let ids = stage.postIDs
    return [
      .passes(Names.entia, commitsOfPass, of: ids.count) { updateOneByOne(&table, ids, $0) },
      .yardstick(stage),
      .passes(Names.dictionary, 1, of: keys.count) { places in
        for place in places {
          let old = dictionary
          dictionary.raiseScore(of: keys[place])
          blackHole(old)
        }
        return places.count
      },
      .passes(Names.nested, 1, of: keys.count) { places in
        for place in places {
          let old = nested
          if let found = nested.place(of: keys[place]) { nested[found].score &+= 1 }
          blackHole(old)
        }
        return places.count
      },
    ]
  }

  static let insertOne = Case(
    "insert one, old version alive",
    note: "64 commits upon a shared table, other rows in each pass",
    bars: [.of(Names.dictionaryFind, (150, 140, 50))]
  ) { stage in
    let original = stage.table
    let posts = stage.posts
    let added = stage.keys.map { key in
      Post(
        id: key + 2 * stage.size, name: posts[key - 1].name, authorID: posts[key - 1].authorID,
        views: 0, score: 0)
    }
    return [
      .passes(Names.entia, commitsOfPass, of: added.count) { places in
        var table = original
        for place in places {
          let old = table
          table.insert(added[place])
          blackHole(old)
        }
        return table.count
      },
      .yardstick(stage),
    ]
  }

  static let removeOne = Case(
    "remove one, old version alive",
    note: "64 commits upon a shared table, other rows in each pass",
    bars: [.of(Names.dictionaryFind, (150, 140, 50))]
  ) { stage in
    let original = stage.table
    let ids = stage.postIDs
    return [
      .passes(Names.entia, commitsOfPass, of: ids.count) { places in
        var table = original
        for place in places {
          let old = table
          table.remove(ids[place])
          blackHole(old)
        }
        return table.count
      },
      .yardstick(stage),
    ]
  }

  static let updateHundred = Case(
    "update 100, old version alive", note: "a commit of 100 counts",
    bars: [.of(Names.dictionaryFind, (1_000, 2_000, 1_100))]
  ) { stage in
    var table = Tables.Hash(stage.posts)
    var dictionary = Stage.dictionary(stage.posts)
    let keys = stage.keys
    let ids = stage.postIDs
    return [
      .commits(Names.entia, stage) { places in
        let old = table
        for place in places { table.updateIfExists(id: ids[place]) { $0.score &+= 1 } }
        blackHole(old)
      },
      .yardstick(stage),
      .commits(Names.dictionary, stage) { places in
        let old = dictionary
        for place in places { dictionary.raiseScore(of: keys[place]) }
        blackHole(old)
      },
    ]
  }

  static let difference = Case(
    "difference, 100 changed", bars: [.of(Names.dictionaryFind, (300, 310, 60))]
  ) { stage in
    let old = stage.table
    let oldDictionary = stage.dictionary
    var new = old
    var newDictionary = oldDictionary
    for key in stage.keys.prefix(stage.hundred) {
      new.updateIfExists(id: Post.EntityID(key)) { $0.score &+= 1 }
      newDictionary.raiseScore(of: key)
    }
    return [
      .calls(Names.entia, [old, new]) { $0[1].changes(since: $0[0]).updated.count },
      .yardstick(stage),
      .calls(Names.dictionary, [oldDictionary, newDictionary]) { versions in
        var changed: [Post] = []
        for (key, post) in versions[1] where versions[0][key] != post { changed.append(post) }
        for key in versions[0].keys where versions[1][key] == nil { changed.removeAll() }
        return changed.count
      },
    ]
  }

  static let equality = Case(
    "== after one change", bars: [.of(Names.dictionaryFind, (7, 5, 0.8))]
  ) { stage in
    let key = stage.keys[stage.size / 2]
    var table = stage.table
    table.updateIfExists(id: Post.EntityID(key)) { $0.score &+= 1 }
    var dictionary = stage.dictionary
    dictionary.raiseScore(of: key)
    var nested = stage.nested
    if let place = nested.place(of: key) { nested[place].score &+= 1 }
    return [
      .calls(Names.entia, [stage.table, table], repeated: 100) { $0[0] == $0[1] ? 1 : 0 },
      .yardstick(stage),
      .calls(Names.dictionary, [stage.dictionary, dictionary]) { $0[0] == $0[1] ? 1 : 0 },
      .calls(Names.nested, [stage.nested, nested]) { $0[0] == $0[1] ? 1 : 0 },
    ]
  }
}

/// Commits updates of one row each: the hot loop, as a separate function so that its machine code
/// is easy to find.
@inline(never)
func updateOneByOne(
  _ table: inout Tables.Hash<Post>, _ ids: [Post.EntityID], _ places: Range<Int>
) -> Int {
  for place in places {
    let old = table
    table.updateIfExists(id: ids[place]) { $0.score &+= 1 }
    blackHole(old)
  }
  return places.count
}

extension Contender {
  /// Commits 100 rows at once, which counts as one operation.
  static func commits(
    _ name: String, _ stage: Stage, _ commit: @escaping (Range<Int>) throws -> Void
  ) -> Contender {
    var window = Window(stage.hundred, of: stage.size)
    return Contender(name) { run in
      while run.wantsMore {
        let places = window.next(run)
        try run.measure(1) {
          try commit(places)
          return places.count
        }
      }
    }
  }

  /// Calls a function with two versions.
  static func calls<Model>(
    _ name: String, _ versions: [Model], repeated: Int = 1, _ ask: @escaping ([Model]) -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        let count = run.isCheck ? 1 : repeated
        run.measure(count) {
          var sum = 0
          for _ in 0..<count { sum &+= ask(versions) }
          return sum
        }
      }
    }
  }
}
