import EntiaDatabase

extension Suite {
  static let writingCases: [Case] = [.insertBulk, .updateInPlace]
}

extension Case {
  static let insertBulk = Case(
    "insert, bulk", bars: [.of(Names.dictionary, (0.4, 0.7, 0.5))]
  ) { stage in
    let posts = stage.data.posts
    let nested = stage.nested
    return [
      .build(Names.entia, rows: posts.count, check: \.count) {
        var table = Tables.Hash<Post>()
        for post in posts { table.insert(post) }
        return table
      },
      .build(Names.dictionary, rows: posts.count, check: \.count) { Stage.dictionary(posts) },
      .build(Names.array, rows: posts.count, check: \.count) {
        var array: [Post] = []
        for post in posts { array.append(post) }
        return array
      },
      .build(Names.nested, rows: posts.count, check: \.count) {
        var array: [NestedPost] = []
        for post in nested { array.append(post) }
        return array
      },
    ]
  }

  static let updateInPlace = Case(
    "update in place", bars: [.of(Names.dictionary, (1.0, 1.2, 1.5))]
  ) { stage in
    var table = Tables.Hash(stage.data.posts)
    var dictionary = Stage.dictionary(stage.data.posts)
    var nested = stage.nested
    let keys = stage.keys
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { places in
        updateScores(&table, ids, places)
      },
      .passes(Names.dictionary, 20_000, of: keys.count) { places in
        for place in places { dictionary[keys[place]]?.score &+= 1 }
        return places.count
      },
      .passes(Names.nested, max(1, 100_000 / keys.count), of: keys.count) { places in
        for place in places {
          if let found = nested.place(of: keys[place]) { nested[found].score &+= 1 }
        }
        return places.count
      },
    ]
  }

  /// Half of the rows; last, because it is what leaves the allocator least as it was.
  static let remove = Case(
    "remove", bars: [.of(Names.dictionary, (0.8, 0.8, 1.0))]
  ) { stage in
    let posts = stage.data.posts
    let half = stage.keys.prefix(max(1, posts.count / 2))
    let halfIDs = stage.postIDs.prefix(half.count)
    return [
      .change(Names.entia, half.count, { Tables.Hash(posts) }) { table in
        for id in halfIDs { table.remove(id) }
        return table.count
      },
      .change(Names.dictionary, half.count, { Stage.dictionary(posts) }) { dictionary in
        for key in half { dictionary.removeValue(forKey: key) }
        return dictionary.count
      },
    ]
  }
}

extension Contender {
  /// Builds a model; letting it go is not measured.
  static func build<Model>(
    _ name: String, rows: Int, check: KeyPath<Model, Int>, _ make: @escaping () -> Model
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        var model: Model?
        run.measure(rows) {
          let made = make()
          model = made
          return made[keyPath: check]
        }
        blackHole(model)
      }
    }
  }

  /// Changes a fresh model; building it and letting it go are not measured.
  static func change<Model>(
    _ name: String, _ count: Int, _ make: @escaping () -> Model,
    _ change: @escaping (inout Model) -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        var model = make()
        run.measure(count) { change(&model) }
        blackHole(model)
      }
    }
  }

  /// Goes through the rows pass by pass.
  static func passes(
    _ name: String, _ length: Int, of count: Int, _ pass: @escaping (Range<Int>) throws -> Int
  ) -> Contender {
    var window = Window(length, of: count)
    var checkWindow = Window(Run.checkedOperations, of: count)
    return Contender(name) { run in
      while run.wantsMore {
        let laps = run.isCheck ? 1 : window.laps
        let places = run.isCheck ? checkWindow.next(run) : window.next(run)
        try run.measure(places.count * laps) {
          var found = 0
          for _ in 0..<laps { found &+= try pass(places) }
          return found
        }
      }
    }
  }
}

/// The hot loop of an update, apart so that its machine code is easy to find.
@inline(never)
func updateScores(
  _ table: inout Tables.Hash<Post>, _ ids: [Post.EntityID], _ places: Range<Int>
) -> Int {
  for place in places { table.updateIfExists(id: ids[place]) { $0.score &+= 1 } }
  return places.count
}
