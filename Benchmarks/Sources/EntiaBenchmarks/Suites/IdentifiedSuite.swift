import EntiaCollections

extension Suite {
  /// An array with unique IDs, alone and beside an older version.
  static let identified = Suite(
    name: "identified", summary: "an array with unique IDs, in a user's order",
    cases: [
      .identifiedFind, .identifiedPosition, .identifiedIterate,
      .identified("insert anywhere", bar: 47, besideCopy: false, insertAnywhere),
      .identified("insert anywhere, old version alive", bar: 47, besideCopy: true, insertAnywhere),
      .identified("remove anywhere", bar: 47, besideCopy: false, removeAnywhere),
      .identified("remove anywhere, old version alive", bar: 47, besideCopy: true, removeAnywhere),
      .identified("move anywhere", bar: 47, besideCopy: false, moveAnywhere),
      .identified("move anywhere, old version alive", bar: 47, besideCopy: true, moveAnywhere),
      .identified("copy and one write", bar: 38, besideCopy: true) { array, place, _ in
        array[place].score &+= 1
      },
      .identifiedReplace,
    ])

  private static func insertAnywhere(
    _ array: inout IdentifiedArrayOf<Post>, _ place: Int, _ fresh: Int
  ) {
    let post = array[place]
    array.insert(
      Post(id: fresh, name: post.name, authorID: post.authorID, views: 0, score: 0), at: place)
  }

  private static func removeAnywhere(
    _ array: inout IdentifiedArrayOf<Post>, _ place: Int, _ fresh: Int
  ) {
    array.remove(at: place)
  }

  private static func moveAnywhere(
    _ array: inout IdentifiedArrayOf<Post>, _ place: Int, _ fresh: Int
  ) {
    array.move(from: place, to: array.count - 1 - place)
  }
}

/// How many changes a pass has: many where each begins with an array of its own.
private func changes(besideCopy: Bool, _ size: Int) -> Int {
  besideCopy ? 64 : min(20_000, size / 2)
}

extension Bar {
  /// A bar for a million rows; smaller arrays are to take no longer than it allows there.
  fileprivate static func atMillion(_ limit: Double) -> Bar {
    .of(Names.dictionaryFind, (limit * 12, limit * 7, limit))
  }
}

extension Case {
  fileprivate static let identifiedFind = Case("find by ID", bars: [.atMillion(1.6)]) { stage in
    let array = IdentifiedArray(uniqueElements: stage.data.posts, id: \Post.id)
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= array[id: keys[place]]?.score ?? 1 }
        return sum
      },
      .yardstick(stage),
    ]
  }

  fileprivate static let identifiedPosition = Case(
    "element at a position", bars: [.atMillion(0.6)]
  ) { stage in
    let posts = stage.data.posts
    let array = IdentifiedArray(uniqueElements: posts, id: \Post.id)
    let positions = stage.keys.map { $0 - 1 }
    return [
      .passes(Names.entia, 20_000, of: positions.count) { places in
        var sum = 0
        for place in places { sum &+= array[positions[place]].score }
        return sum
      },
      .passes(Names.array, 20_000, of: positions.count) { places in
        var sum = 0
        for place in places { sum &+= posts[positions[place]].score }
        return sum
      },
      .yardstick(stage),
    ]
  }

  fileprivate static let identifiedIterate = Case(
    "iterate, a row", bars: [.of(Names.array, (3, 3, 3))]
  ) { stage in
    [
      .sum(
        Names.entia, IdentifiedArray(uniqueElements: stage.data.posts, id: \Post.id), \.count
      ) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
      .sum(Names.array, stage.data.posts, \.count) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
    ]
  }

  /// Changes at random places, each with a new ID at hand.
  fileprivate static func identified(
    _ name: String, bar: Double, besideCopy: Bool,
    _ change: @escaping @Sendable (inout IdentifiedArrayOf<Post>, Int, Int) -> Void
  ) -> Case {
    Case(name, bars: [.atMillion(bar)]) { stage in
      let original = IdentifiedArrayOf<Post>(uniqueElements: stage.data.posts)
      let positions = stage.keys.prefix(changes(besideCopy: besideCopy, stage.size))
        .map { $0 % (stage.size / 2) }
      let fresh = 2 * stage.size
      return [
        .change(Names.entia, positions.count, { besideCopy ? original : deepCopy(original) }) {
          array in
          for (index, position) in positions.enumerated() {
            let old = besideCopy ? array : IdentifiedArrayOf<Post>()
            change(&array, position, fresh + index)
            blackHole(old)
          }
          return array.count
        },
        .yardstick(stage),
      ]
    }
  }

  fileprivate static let identifiedReplace = Case(
    "replace 1,000 in the middle", bars: [.atMillion(9_400)]
  ) { stage in
    var array = IdentifiedArrayOf<Post>(uniqueElements: stage.data.posts)
    let count = min(1_000, stage.size / 2)
    let start = (stage.size - count) / 2
    // Two sets of new elements that take turns, so that what goes is never what comes.
    let new = [2, 3].map { offset in
      stage.data.posts.prefix(count).map { post in
        Post(
          id: post.id + offset * stage.size, name: post.name, authorID: post.authorID, views: 0,
          score: 0)
      }
    }
    return [
      .passes(Names.entia, 1, of: 2) { places in
        for place in places { array.replaceSubrange(start..<(start + count), with: new[place]) }
        return array.count
      },
      .yardstick(stage),
    ]
  }
}

/// A copy that shares nothing.
private func deepCopy(_ array: IdentifiedArrayOf<Post>) -> IdentifiedArrayOf<Post> {
  IdentifiedArrayOf(uncheckedUniqueElements: Array(array))
}
