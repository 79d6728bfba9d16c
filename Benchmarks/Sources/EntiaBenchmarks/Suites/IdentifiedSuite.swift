import BenchmarkReport
import EntiaCollections

extension Suite {
  /// An array with access by ID, compared with the standard collections.
  static let identified = Suite(
    name: "identified", summary: "IdentifiedArray", bytesPerRow: 800,
    check: checkIdentified,
    cases: [
      .identifiedFind, .identifiedPosition, .identifiedIndex, .identifiedIterate, .identifiedBuild,
      .identifiedBytes, .identifiedInsert, .identifiedRemove, .identifiedMove, .identifiedWrite,
      .identifiedReplace,
    ] + identifiedSequenceCases)

  /// Compares an identified array with an array through random edits, including kept old versions.
  private static func checkIdentified(_ stage: Stage) throws {
    var identified = IdentifiedArrayOf<Post>()
    var array: [Post] = []
    var kept: [(IdentifiedArrayOf<Post>, [Post])] = []
    var generator = SplitMix64(seed: 6)
    let template = stage.posts[0]
    for step in 0..<(stage.isSmoke ? 1_000 : 10_000) {
      let place = Int.random(in: 0...array.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where place < array.count && array.count > 500, 1 where place < array.count:
        let removed = identified.remove(at: place)
        guard removed == array.remove(at: place) else {
          throw Disagreement("correctness, step \(step): another element is removed")
        }
      case 2 where place < array.count:
        identified[place].score = step
        array[place].score = step
      default:
        let post = Post(
          id: step, name: template.name, authorID: template.authorID, views: step, score: 0)
        identified.insert(post, at: place)
        array.insert(post, at: place)
      }
      if step % 500 == 0 { kept.append((identified, array)) }
    }
    kept.append((identified, array))
    for (identified, array) in kept {
      guard identified.elementsEqual(array) else {
        throw Disagreement("correctness: an identified array is not the array that it should be")
      }
      for (place, post) in array.enumerated() {
        guard identified.index(id: post.id) == place, identified[id: post.id] == post else {
          throw Disagreement("correctness: \(post.id) is not found at \(place)")
        }
      }
    }
  }
}

extension Case {
  static let identifiedFind = Case(
    "find by ID", bars: [.atMillion(of: Names.dictionary, 1.5)]
  ) { stage in
    let array = stage.identified
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { findByID(array, keys, $0) },
      .dictionaryFind(Names.dictionary, stage),
      .arrayFind(stage.posts, keys),
    ]
  }

  static let identifiedPosition = Case(
    "random position", bars: [.atMillion(of: Names.dictionaryFind, 0.6)]
  ) { stage in
    let identified = stage.identified
    let array = stage.posts
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { readPositions(identified, keys, $0) },
      .yardstick(stage),
      .passes(Names.array, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= array[keys[place] - 1].score }
        return sum
      },
    ]
  }

  static let identifiedIndex = Case("position of an ID") { stage in
    let identified = stage.identified
    let array = stage.posts
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= identified.index(id: keys[place]) ?? 0 }
        return sum
      },
      .yardstick(stage),
      .passes(Names.array, max(1, 100_000 / keys.count), of: keys.count) { places in
        var sum = 0
        for place in places { sum &+= array.firstIndex { $0.id == keys[place] } ?? 0 }
        return sum
      },
    ]
  }

  static let identifiedIterate = Case(
    "iterate, an element", bars: [.atMillion(of: Names.array, 2.5)]
  ) { stage in
    [
      .sum(Names.entia, stage.identified, stage.size) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
      .sum(Names.array, stage.posts, stage.size) { array in
        var sum = 0
        for post in array { sum &+= post.score }
        return sum
      },
    ]
  }

  static let identifiedBuild = Case("build from unique elements") { stage in
    let posts = stage.posts
    return [
      .build(Names.entia, rows: posts.count, check: \.count) {
        IdentifiedArrayOf<Post>(uniqueElements: posts)
      },
      .build(Names.dictionary, rows: posts.count, check: \.count) { Stage.dictionary(posts) },
    ]
  }

  static let identifiedBytes = Case(
    "bytes an element beyond itself", unit: .bytes, isCounted: true
  ) { stage in
    let posts = stage.posts
    let element = MemoryLayout<Post>.stride
    return [
      .bytes(Names.entia, of: posts.count, less: element) {
        IdentifiedArrayOf<Post>(uniqueElements: posts)
      },
      .bytes(Names.dictionary, of: posts.count, less: element) { Stage.dictionary(posts) },
    ]
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func findByID(_ array: IdentifiedArrayOf<Post>, _ keys: [Int], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= array[id: keys[place]]?.score ?? 1 }
  return sum
}

@inline(never)
func readPositions(_ array: IdentifiedArrayOf<Post>, _ keys: [Int], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= array[keys[place] - 1].score }
  return sum
}
