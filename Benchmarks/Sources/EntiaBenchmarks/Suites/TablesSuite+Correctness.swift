import EntiaCollections
import EntiaDatabase

extension Suite {
  /// Compares a table with a dictionary and an ordered array of IDs, at the measured size and
  /// through random commits with kept old versions.
  static func checkTables(_ stage: Stage) throws {
    try agree(stage.table, stage.dictionary, order: stage.posts.map(\.id), "as built")
    for id in stage.missingIDs.prefix(10_000) where stage.table.find(by: id) != nil {
      throw Disagreement("correctness at \(stage.size) rows: \(id) is found and should not be")
    }
    try checkHistory(stage)
  }

  private static func checkHistory(_ stage: Stage) throws {
    var table = Tables.Hash<Post>()
    var dictionary: [Int: Post] = [:]
    var order: [Int] = []
    var kept: [(Tables.Hash<Post>, [Int: Post], [Int])] = []
    var generator = SplitMix64(seed: 5)
    let ids = min(stage.size, 1_000)
    let template = stage.posts[0]
    for step in 0..<(stage.isSmoke ? 1_000 : 20_000) {
      let id = Int.random(in: 1...ids, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0, 1:
        let post = Post(
          id: id, name: template.name, authorID: template.authorID, views: step, score: id)
        table.insert(post)
        if dictionary.updateValue(post, forKey: id) == nil { order.append(id) }
      case 2:
        table.updateIfExists(id: Post.EntityID(id)) { $0.score = step }
        dictionary[id]?.score = step
      default:
        table.remove(Post.EntityID(id))
        if dictionary.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
      }
      if step % 1_000 == 0 { kept.append((table, dictionary, order)) }
    }
    kept.append((table, dictionary, order))
    for (place, version) in kept.enumerated() {
      try agree(version.0, version.1, order: version.2, "version \(place) of a random history")
    }
  }

  private static func agree(
    _ table: Tables.Hash<Post>, _ dictionary: [Int: Post], order: [Int], _ what: String
  ) throws {
    func fail(_ reason: String) -> Disagreement {
      Disagreement("correctness, \(what): \(reason)")
    }
    guard table.count == dictionary.count else {
      throw fail("\(table.count) rows where the dictionary has \(dictionary.count)")
    }
    var place = 0
    for post in table {
      guard place < order.count, post.id == order[place] else {
        throw fail("row \(place) is \(post.id), which is not the order of insertion")
      }
      place += 1
    }
    for id in order {
      guard table.find(by: Post.EntityID(id)) == dictionary[id] else {
        throw fail("\(id) is another row than in the dictionary")
      }
    }
  }
}
