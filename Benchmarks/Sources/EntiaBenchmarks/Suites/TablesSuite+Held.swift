import EntiaCollections
import EntiaDatabase

extension Suite {
  static let heldCases: [Case] = [
    .findInProperty, .findCaptured, .iterateInProperty, .updateInProperty,
  ]
}

extension Case {
  static let findInProperty = Case(
    "find, in a property", note: "of a class; the dictionary too",
    bars: [.of(Names.dictionary, (0.8, 0.9, 1.0))]
  ) { stage in
    let shelf = Shelf(stage)
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: ids.count) { sumOfHeldScores(shelf, ids, $0) },
      .passes(Names.dictionary, 20_000, of: keys.count) { sumOfHeldScores(shelf, keys, $0) },
    ]
  }

  static let findCaptured = Case(
    "find, in a captured variable",
    note: "of two closures, one of which writes; the dictionary too",
    bars: [.of(Names.dictionary, (0.8, 0.9, 1.0))]
  ) { stage in
    var table = stage.table
    var dictionary = stage.dictionary
    let ids = stage.postIDs
    let keys = stage.keys
    let sum = { (places: Range<Int>) in
      var sum = 0
      for place in places { sum &+= table.find(by: ids[place])?.score ?? 1 }
      return sum
    }
    let dictionarySum = { (places: Range<Int>) in
      var sum = 0
      for place in places { sum &+= dictionary[keys[place]]?.score ?? 1 }
      return sum
    }
    // A variable that nobody writes would be captured as a constant.
    let clear = {
      table = Tables.Hash()
      dictionary = [:]
    }
    return [
      .passes(Names.entia, 20_000, of: ids.count) { places in
        if places.isEmpty { clear() }
        return sum(places)
      },
      .passes(Names.dictionary, 20_000, of: keys.count) { dictionarySum($0) },
    ]
  }

  static let iterateInProperty = Case(
    "iterate, in a property, a row", note: "of a class; the dictionary and the array too",
    bars: [.of(Names.array, (1.3, 1.2, 1.2))]
  ) { stage in
    [
      .sum(Names.entia, Shelf(stage), stage.size) { shelf in
        var sum = 0
        for post in shelf.table { sum &+= post.score }
        return sum
      },
      .sum(Names.dictionary, Shelf(stage), stage.size) { shelf in
        var sum = 0
        for post in shelf.dictionary.values { sum &+= post.score }
        return sum
      },
      .sum(Names.array, Shelf(stage), stage.size) { shelf in
        var sum = 0
        for post in shelf.array { sum &+= post.score }
        return sum
      },
    ]
  }

  static let updateInProperty = Case(
    "update in place, in a property", note: "of a class, owned alone; the dictionary too",
    bars: [.of(Names.dictionary, (0.9, 1.1, 1.3))]
  ) { stage in
    let shelf = Shelf(
      table: Tables.Hash(stage.posts), dictionary: Stage.dictionary(stage.posts), array: [])
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: ids.count) { updateHeldScores(shelf, ids, $0) },
      .passes(Names.dictionary, 20_000, of: keys.count) { updateHeldScores(shelf, keys, $0) },
    ]
  }
}

/// An object that holds posts in its properties, as an app's model objects do.
final class Shelf {
  fileprivate(set) var table: Tables.Hash<Post>
  fileprivate(set) var dictionary: [Int: Post]
  fileprivate(set) var array: [Post]

  init(table: Tables.Hash<Post>, dictionary: [Int: Post], array: [Post]) {
    self.table = table
    self.dictionary = dictionary
    self.array = array
  }

  convenience init(_ stage: Stage) {
    self.init(table: stage.table, dictionary: stage.dictionary, array: stage.posts)
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func sumOfHeldScores(_ shelf: Shelf, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= shelf.table.find(by: ids[place])?.score ?? 1 }
  return sum
}

@inline(never)
func sumOfHeldScores(_ shelf: Shelf, _ keys: [Int], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= shelf.dictionary[keys[place]]?.score ?? 1 }
  return sum
}

@inline(never)
func updateHeldScores(_ shelf: Shelf, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  for place in places { shelf.table.updateIfExists(id: ids[place]) { $0.score &+= 1 } }
  return places.count
}

@inline(never)
func updateHeldScores(_ shelf: Shelf, _ keys: [Int], _ places: Range<Int>) -> Int {
  for place in places { shelf.dictionary.raiseScore(of: keys[place]) }
  return places.count
}
