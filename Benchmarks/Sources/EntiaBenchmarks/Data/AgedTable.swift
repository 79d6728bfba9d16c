import EntiaDatabase

/// A table after many random commits, and the same rows in a new one.
struct AgedTable {
  let table: Tables.Hash<Post>
  /// The IDs of its rows, in an order that is unrelated to that of the rows.
  let ids: [Post.EntityID]
  var fresh: Tables.Hash<Post> { Tables.Hash(table.allEntities()) }

  /// Creates a table by random commits. Half of them update a row; the others remove or append one,
  /// in about equal numbers.
  init(_ posts: [Post], commits: Int) {
    var table = Tables.Hash(posts)
    var ids = posts.map(\.entityID)
    var generator = SplitMix64(seed: 3)
    var nextID = 1_000_000_000
    for _ in 0..<commits {
      let old = table
      let draw = generator.next()
      let place = Int(truncatingIfNeeded: (draw >> 32) % UInt64(ids.count))
      if draw & 1 == 0 {
        table.updateIfExists(id: ids[place]) { $0.score &+= 1 }
      } else if ids.count >= posts.count, ids.count > 1 {
        table.remove(ids[place])
        ids.swapAt(place, ids.count - 1)
        ids.removeLast()
      } else {
        var post = posts[place]
        post = Post(
          id: nextID, name: post.name, authorID: post.authorID, views: post.views, score: post.score
        )
        nextID += 1
        table.insert(post)
        ids.append(post.entityID)
      }
      blackHole(old)
    }
    self.table = table
    self.ids = ids.shuffled(using: &generator)
  }
}
