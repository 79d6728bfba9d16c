import EntiaCollections

/// The number of edits in a pass. A plain array, which moves all elements after the position, has
/// fewer.
private let editsOfPass = 256
private let arrayEditsOfPass = 8

extension Case {
  static let identifiedInsert = Case(
    "insert anywhere", note: "owned alone", bars: [.atMillion(of: Names.dictionaryFind, 47)]
  ) { stage in
    let keys = stage.keys
    let new = stage.newPosts
    return [
      .edits(
        Names.entia, IdentifiedArrayOf<Post>(uniqueElements: stage.posts), editsOfPass, stage,
        edit: { array, places in
          for place in places { array.insert(new[place % new.count], at: keys[place] - 1) }
          return array.count
        },
        undo: { array, places in
          for place in places.reversed() { array.remove(at: keys[place] - 1) }
        }),
      .yardstick(stage),
      .edits(
        Names.array, stage.posts, arrayEditsOfPass, stage,
        edit: { array, places in
          for place in places { array.insert(new[place % new.count], at: keys[place] - 1) }
          return array.count
        },
        undo: { array, places in
          for place in places.reversed() { array.remove(at: keys[place] - 1) }
        }),
    ]
  }

  static let identifiedRemove = Case(
    "remove anywhere", note: "owned alone", bars: [.atMillion(of: Names.dictionaryFind, 47)]
  ) { stage in
    // These positions still exist after other elements were removed.
    let positions = stage.keys.map { ($0 - 1) / 2 }
    var removed: [Post] = []
    var arrayRemoved: [Post] = []
    return [
      .edits(
        Names.entia, IdentifiedArrayOf<Post>(uniqueElements: stage.posts), editsOfPass, stage,
        edit: { array, places in
          for place in places { removed.append(array.remove(at: positions[place])) }
          return removed.last?.id ?? 0
        },
        undo: { array, places in
          for place in places.reversed() {
            array.insert(removed.removeLast(), at: positions[place])
          }
        }),
      .yardstick(stage),
      .edits(
        Names.array, stage.posts, arrayEditsOfPass, stage,
        edit: { array, places in
          for place in places { arrayRemoved.append(array.remove(at: positions[place])) }
          return arrayRemoved.last?.id ?? 0
        },
        undo: { array, places in
          for place in places.reversed() {
            array.insert(arrayRemoved.removeLast(), at: positions[place])
          }
        }),
    ]
  }

  static let identifiedMove = Case(
    "move anywhere", note: "owned alone", bars: [.atMillion(of: Names.dictionaryFind, 47)]
  ) { stage in
    let from = stage.keys.map { $0 - 1 }
    let to = Array(from.reversed())
    return [
      .edits(
        Names.entia, IdentifiedArrayOf<Post>(uniqueElements: stage.posts), editsOfPass, stage,
        edit: { array, places in
          for place in places { array.move(from: from[place], to: to[place]) }
          return array[places.lowerBound].id
        }),
      .yardstick(stage),
      .edits(
        Names.array, stage.posts, arrayEditsOfPass, stage,
        edit: { array, places in
          for place in places { array.insert(array.remove(at: from[place]), at: to[place]) }
          return array[places.lowerBound].id
        }),
    ]
  }

  static let identifiedWrite = Case(
    "copy and one write", note: "by ID; the copy from before is kept until the write is done",
    bars: [.atMillion(of: Names.dictionaryFind, 38)]
  ) { stage in
    var identified = stage.identified
    var array = stage.posts
    var dictionary = stage.dictionary
    let keys = stage.keys
    return [
      .passes(Names.entia, commitsOfPass, of: keys.count) { places in
        for place in places {
          let old = identified
          identified[id: keys[place]]?.score &+= 1
          blackHole(old)
        }
        return places.count
      },
      .yardstick(stage),
      .passes(Names.dictionary, 1, of: keys.count) { places in
        for place in places {
          let old = dictionary
          dictionary.raiseScore(of: keys[place])
          blackHole(old)
        }
        return places.count
      },
      .passes(Names.array, 1, of: keys.count) { places in
        for place in places {
          let old = array
          array[keys[place] - 1].score &+= 1
          blackHole(old)
        }
        return places.count
      },
    ]
  }

  static let identifiedReplace = Case(
    "replace 1,000 in the middle", note: "owned alone; the 1,000 count as one operation",
    bars: [.atMillion(of: Names.dictionaryFind, 9_400)]
  ) { stage in
    let new = stage.newPosts
    let start = (stage.size - new.count) / 2
    let range = start..<(start + new.count)
    let old = Array(stage.posts[range])
    return [
      .edits(
        Names.entia, IdentifiedArrayOf<Post>(uniqueElements: stage.posts), 1, stage,
        edit: { array, _ in
          array.replaceSubrange(range, with: new)
          return array.count
        },
        undo: { array, _ in array.replaceSubrange(range, with: old) }),
      .yardstick(stage),
      .edits(
        Names.array, stage.posts, 1, stage,
        edit: { array, _ in
          array.replaceSubrange(range, with: new)
          return array.count
        },
        undo: { array, _ in array.replaceSubrange(range, with: old) }),
    ]
  }
}

extension Contender {
  /// Edits a uniquely referenced model. Undoing the edits is not measured.
  fileprivate static func edits<Model>(
    _ name: String, _ model: Model, _ count: Int, _ stage: Stage,
    edit: @escaping (inout Model, Range<Int>) -> Int,
    undo: @escaping (inout Model, Range<Int>) -> Void = { _, _ in }
  ) -> Contender {
    var model = model
    var window = Window(min(count, max(1, stage.size / 2)), of: stage.size)
    return Contender(name) { run in
      while run.wantsMore {
        // All contestants perform the same edits in the check.
        let places = run.isCheck ? 0..<min(1, stage.size) : window.next(run)
        run.measure(places.count) { edit(&model, places) }
        undo(&model, places)
      }
    }
  }
}
