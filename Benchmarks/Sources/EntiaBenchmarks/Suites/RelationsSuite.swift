import EntiaDatabase

extension Suite {
  /// A storage with relationships: reads through views, writes through batches.
  static let relations = Suite(
    name: "relations", summary: "views and batches on authors, posts and comments",
    bytesPerRow: 4_200,
    cases: [
      .storageFind, .followToOne, .inverse, .inverseOfMany, .denormalize, .denormalizedPage,
      .resolvedAgain, .resolvedAfterCommit, .topOfIndex, .topByFetch, .predicateCount, .batchOfOne,
      .batchUpdate, .indexedBatch, .cascade,
    ])
}

extension Case {
  static let storageFind = Case("find through the storage") { stage in
    let blog = try stage.blog.get()
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { findInStorage(blog, ids, $0) },
      .dictionaryFind(Names.dictionary, stage),
    ]
  }

  static let followToOne = Case("a view's author") { stage in
    let blog = try stage.blog.get()
    let plain = stage.dictionaryBlog
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: ids.count) { followAuthors(blog, ids, $0) },
      .passes(Names.dictionary, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places {
          guard let post = plain.posts[keys[place]] else { continue }
          sum &+= plain.authors[post.authorID.raw]?.score ?? 0
        }
        return sum
      },
    ] + (try .sqliteFollow(stage))
  }

  static let denormalize = Case(
    "denormalize a post", note: "with its author, three comments and their authors"
  ) { stage in
    let blog = try stage.blog.get()
    let plain = stage.dictionaryBlog
    let nested = stage.nestedWithComments
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 20_000, of: ids.count) { denormalized(blog, ids, $0) },
      .passes(Names.dictionary, 20_000, of: keys.count) { places in
        var sum = 0
        for place in places {
          guard let post = plain.posts[keys[place]] else { continue }
          sum &+= post.score &+ (plain.authors[post.authorID.raw]?.score ?? 0)
          for id in plain.commentsOfPost[keys[place]] ?? [] {
            guard let comment = plain.comments[id] else { continue }
            sum &+= comment.score &+ (plain.authors[comment.authorID.raw]?.score ?? 0)
          }
        }
        return sum
      },
      .passes(Names.nested, max(1, 100_000 / keys.count), of: keys.count) { places in
        var sum = 0
        for place in places {
          guard let found = nested.place(of: keys[place]) else { continue }
          let post = nested[found]
          sum &+= post.score &+ post.author.score
          for comment in post.comments { sum &+= comment.score &+ comment.author.score }
        }
        return sum
      },
    ] + (try .sqliteDenormalize(stage))
  }

  static let batchOfOne = Case(
    "commit of one row in a batch", note: "the old version alive; SQLite keeps none"
  ) { stage in
    var blog = try stage.blog.get()
    var plain = stage.dictionaryBlog
    var nested = stage.nestedWithComments
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 64, of: ids.count) { places in
        for place in places {
          let old = blog
          try blog.performBatchUpdates { context in
            _ = context.modifying.posts.updateIfExists(id: ids[place]) { $0.score &+= 1 }
          }
          blackHole(old)
        }
        return places.count
      },
      .yardstick(stage),
      .passes(Names.dictionary, 1, of: keys.count) { places in
        for place in places {
          let old = plain
          plain.posts.raiseScore(of: keys[place])
          blackHole(old)
        }
        return places.count
      },
      .passes(Names.nested, 1, of: keys.count) { places in
        for place in places {
          let old = nested
          if let found = nested.place(of: keys[place]) { nested[found].score &+= 1 }
          blackHole(old)
        }
        return places.count
      },
    ] + (try .sqliteCommit(stage))
  }

  static let batchUpdate = Case("update in a batch, a row") { stage in
    var blog = try stage.blog.get()
    var plain = stage.dictionaryBlog
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, ids.count, of: ids.count) { places in
        let old = blog
        try blog.performBatchUpdates { updateInBatch(&$0, ids, places) }
        blackHole(old)
        return places.count
      },
      .passes(Names.dictionary, keys.count, of: keys.count) { places in
        let old = plain
        for place in places { plain.posts.raiseScore(of: keys[place]) }
        blackHole(old)
        return places.count
      },
    ]
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func findInStorage(_ blog: Blog, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= blog.posts.find(by: ids[place])?.score ?? 1 }
  return sum
}

@inline(never)
func followAuthors(_ blog: Blog, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places {
    sum &+= blog.view(of: ids[place])?[\.postAuthor]?.entity.score ?? 0
  }
  return sum
}

@inline(never)
func denormalized(_ blog: Blog, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places {
    guard let post = blog.view(of: ids[place]) else { continue }
    sum &+= post.entity.score &+ (post[\.postAuthor]?.entity.score ?? 0)
    for comment in post[inverse: \.commentPost] {
      sum &+= comment.entity.score &+ (comment[\.commentAuthor]?.entity.score ?? 0)
    }
  }
  return sum
}

@inline(never)
func updateInBatch(
  _ context: inout BatchContext<Blog>, _ ids: [Post.EntityID], _ places: Range<Int>
) {
  for place in places {
    context.modifying.posts.updateIfExists(id: ids[place]) { $0.score &+= 1 }
  }
}
