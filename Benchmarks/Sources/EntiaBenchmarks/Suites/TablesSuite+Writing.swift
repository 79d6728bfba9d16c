import EntiaDatabase

extension Suite {
  static let writingCases: [Case] = [.insertBulk, .updateInPlace]
}

extension Case {
  static let insertBulk = Case(
    "insert, bulk", note: "one by one, nothing reserved",
    bars: [.of(Names.dictionary, (0.5, 0.42, 0.5))]
  ) { stage in
    let posts = stage.posts
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
    ] + .sqliteInsert(posts)
  }

  static let updateInPlace = Case(
    "update in place", note: "owned alone", bars: [.of(Names.dictionary, (0.9, 1.1, 1.3))]
  ) { stage in
    var table = Tables.Hash(stage.posts)
    var dictionary = Stage.dictionary(stage.posts)
    var nested = stage.nested
    let keys = stage.keys
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { places in
        updateScores(&table, ids, places)
      },
      .passes(Names.dictionary, 20_000, of: keys.count) { places in
        updateScores(&dictionary, keys, places)
      },
      .passes(Names.nested, max(1, 100_000 / keys.count), of: keys.count) { places in
        for place in places {
          if let found = nested.place(of: keys[place]) { nested[found].score &+= 1 }
        }
        return places.count
      },
    ] + (try .sqliteUpdate(stage))
  }

  /// Removes half of the rows. It runs last, because it changes the state of the allocator most.
  static let remove = Case(
    "remove", note: "half of the rows, in a shuffled order",
    bars: [.of(Names.dictionary, (0.8, 0.5, 1.0))]
  ) { stage in
    let posts = stage.posts
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
    ] + .sqliteRemove(posts, half)
  }
}

extension Contender {
  /// Builds a model. Releasing it is not measured.
  static func build<Model>(
    _ name: String, rows: Int, check: @escaping (Model) -> Int,
    _ make: @escaping () throws -> Model
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        var model: Model?
        try run.measure(rows) {
          let made = try make()
          model = made
          return check(made)
        }
        blackHole(model)
      }
    }
  }

  /// Changes a new model. Building and releasing it are not measured.
  static func change<Model>(
    _ name: String, _ count: Int, _ make: @escaping () throws -> Model,
    _ change: @escaping (inout Model) throws -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        var model = try make()
        try run.measure(count) { try change(&model) }
        blackHole(model)
      }
    }
  }

  /// Visits the rows pass by pass. A check visits fewer rows for very slow contestants.
  static func passes(
    _ name: String, _ length: Int, of count: Int, checked: Int = Run.checkedOperations,
    _ pass: @escaping (Range<Int>) throws -> Int
  ) -> Contender {
    var window = Window(length, of: count)
    var checkWindow = Window(checked, of: count)
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

/// Updates posts in a dictionary in place: the hot loop.
@inline(never)
func updateScores(_ dictionary: inout [Int: Post], _ keys: [Int], _ places: Range<Int>) -> Int {
  for place in places { dictionary.raiseScore(of: keys[place]) }
  return places.count
}

/// Updates posts in place: the hot loop, as a separate function so that its machine code is easy to
/// find.
@inline(never)
func updateScores(
  _ table: inout Tables.Hash<Post>, _ ids: [Post.EntityID], _ places: Range<Int>
) -> Int {
  for place in places { table.updateIfExists(id: ids[place]) { $0.score &+= 1 } }
  return places.count
}
