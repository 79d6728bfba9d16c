import EntiaCollections

extension Suite {
  static let identifiedSequenceCases: [Case] = [
    .identifiedMap, .identifiedSearch, .identifiedReversed, .identifiedSlice, .identifiedIDs,
    .identifiedWriteAt,
  ]
}

private let sequenceBars: [Bar] = [.of(Names.array, 3)]

extension Case {
  static let identifiedMap = Case("map, an element", bars: sequenceBars) { stage in
    [
      .sum(Names.entia, stage.identified, stage.size) { array in
        array.map { $0.score &+ 1 }.count
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        array.map { $0.score &+ 1 }.count
      },
    ]
  }

  static let identifiedSearch = Case(
    "firstIndex(where:), an element", note: "of an element that is not there", bars: sequenceBars
  ) { stage in
    [
      .sum(Names.entia, stage.identified, stage.size) { array in
        array.firstIndex { $0.score == -1 } ?? array.count
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        array.firstIndex { $0.score == -1 } ?? array.count
      },
    ]
  }

  static let identifiedReversed = Case(
    "iterate reversed, an element", bars: sequenceBars
  ) { stage in
    [
      .sum(Names.entia, stage.identified, stage.size) { array in
        var sum = 0
        for post in array.reversed() { sum &+= post.score }
        return sum
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        var sum = 0
        for post in array.reversed() { sum &+= post.score }
        return sum
      },
    ]
  }

  static let identifiedSlice = Case(
    "iterate a slice, an element", note: "all but the ends", bars: sequenceBars
  ) { stage in
    [
      .sum(Names.entia, stage.identified, stage.size) { array in
        var sum = 0
        for post in array[1..<(array.count - 1)] { sum &+= post.score }
        return sum
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        var sum = 0
        for post in array[1..<(array.count - 1)] { sum &+= post.score }
        return sum
      },
    ]
  }

  static let identifiedIDs = Case("map of the IDs, an ID", bars: sequenceBars) { stage in
    let ids = stage.posts.map(\.id)
    return [
      .sum(Names.entia, stage.identified, stage.size) { array in
        array.ids.map { $0 &+ 1 }.count
      },
      .sum(Names.array, ids, stage.size) { ids in
        ids.map { $0 &+ 1 }.count
      },
    ]
  }

  static let identifiedWriteAt = Case(
    "write to a member at a position", note: "array[position].score += 1, owned alone",
    bars: [.absolute(25)]
  ) { stage in
    var identified = IdentifiedArrayOf<Post>(uniqueElements: stage.posts)
    var array = Array(stage.posts)
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { places in
        for place in places { identified[keys[place] - 1].score &+= 1 }
        return identified.count
      },
      .passes(Names.array, 20_000, of: keys.count) { places in
        for place in places { array[keys[place] - 1].score &+= 1 }
        return array.count
      },
    ]
  }
}
