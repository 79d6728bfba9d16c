import EntiaCollections
import EntiaDatabase

extension Contender {
  static func tableFind(
    _ name: String, _ table: Tables.Hash<Post>, _ ids: [Post.EntityID]
  ) -> Contender {
    passes(name, 20_000, of: ids.count) { sumOfScores(table, ids, $0) }
  }

  /// Returns the lookup of integers in a plain dictionary, which is also the yardstick of other
  /// cases.
  static func dictionaryFind(_ name: String, _ stage: Stage) -> Contender {
    dictionaryFind(name, stage.dictionary, stage.keys)
  }

  static func dictionaryFind(
    _ name: String, _ dictionary: [Int: Post], _ keys: [Int]
  ) -> Contender {
    passes(name, 20_000, of: keys.count) { places in
      var sum = 0
      for place in places { sum &+= dictionary[keys[place]]?.score ?? 1 }
      return sum
    }
  }

  /// Returns the yardstick, whose results differ from those of the case.
  static func yardstick(_ stage: Stage) -> Contender {
    let find = dictionaryFind(Names.dictionaryFind, stage)
    return Contender(find.name, isComparable: false, find.turn)
  }

  static func stringDictionaryFind(_ stage: Stage) -> Contender {
    let dictionary = Stage.dictionary(stage.pages)
    let keys = stage.stringKeys
    return passes(Names.dictionary, 20_000, of: keys.count) { places in
      var sum = 0
      for place in places { sum &+= dictionary[keys[place]]?.score ?? 1 }
      return sum
    }
  }

  /// Searches linearly, with fewer operations for many rows.
  static func arrayFind(_ posts: [Post], _ keys: [Int]) -> Contender {
    passes(Names.array, max(1, 100_000 / keys.count), of: keys.count) { places in
      var sum = 0
      for place in places { sum &+= posts.first { $0.id == keys[place] }?.score ?? 1 }
      return sum
    }
  }

  /// Searches linearly, with fewer operations for many rows.
  static func nestedFind(_ posts: [NestedPost], _ keys: [Int]) -> Contender {
    passes(Names.nested, max(1, 100_000 / keys.count), of: keys.count) { places in
      var sum = 0
      for place in places { sum &+= posts.place(of: keys[place]).map { posts[$0].score } ?? 1 }
      return sum
    }
  }

  /// Sums over all rows, several times if there are few.
  static func sum<Model>(
    _ name: String, _ model: Model, _ rows: Int, _ body: @escaping (Model) throws -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore {
        let laps = run.isCheck ? 1 : max(1, 20_000 / max(1, rows))
        try run.measure(rows * laps) {
          var sum = 0
          for _ in 0..<laps { sum &+= try body(model) }
          return sum
        }
      }
    }
  }

  static func tableSum(_ name: String, _ table: Tables.Hash<Post>) -> Contender {
    sum(name, table, table.count) { table in
      var sum = 0
      for post in table { sum &+= post.score }
      return sum
    }
  }
}

/// Looks up posts: the hot loop, as a separate function so that its machine code is easy to find.
@inline(never)
func sumOfScores(_ table: Tables.Hash<Post>, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= table.find(by: ids[place])?.score ?? 1 }
  return sum
}
