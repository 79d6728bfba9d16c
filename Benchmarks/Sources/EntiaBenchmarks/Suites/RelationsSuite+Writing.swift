import EntiaDatabase

extension Case {
  static let indexedBatch = Case(
    "batch of 1,000 updates, a row",
    note: "three indexes, two relationships; 100 rows change an indexed key",
    bars: [.of(withoutIndexes, (3, 2, 1.4))]
  ) { stage in
    let authors = Tables.Hash(stage.authors)
    let drafts = Tables.Hash(stage.posts.map { Draft($0, authorCount: stage.authors.count) })
    var indexed = IndexedDrafts(
      snapshot: Snapshot(IndexedDrafts.Contents(authors: authors, drafts: drafts)))
    var plain = PlainDrafts(
      snapshot: Snapshot(PlainDrafts.Contents(authors: authors, drafts: drafts)))
    let ids = stage.keys.map { Draft.EntityID($0) }
    return [
      .passes(Names.entia, 1_000, of: ids.count) { places in
        let old = indexed
        try indexed.performBatchUpdates { updateDrafts(&$0, ids, places) }
        blackHole(old)
        return places.count
      },
      .passes(withoutIndexes, 1_000, of: ids.count) { places in
        let old = plain
        try plain.performBatchUpdates { updatePlainDrafts(&$0, ids, places) }
        blackHole(old)
        return places.count
      },
    ]
  }

  private static let withoutIndexes = "without indexes"

  static let cascade = Case(
    "delete an author, a row that goes",
    note:
      "1,000 posts and 10,000 comments go with it; “alone” are these rows in a database of theirs"
  ) { stage in
    let large = try stage.blog.get().withBusyAuthor()
    let small = try Blog().withBusyAuthor()
    return [
      .cascade(Names.entia, large), .cascade("alone", small),
    ]
  }
}

extension Contender {
  /// Deletes the author from a shared database in every pass.
  fileprivate static func cascade(_ name: String, _ blog: Blog) -> Contender {
    change(
      name, 1 + Blog.busyPosts * 11, { blog },
      { blog in
        let before = blog.rowCount
        try blog.performBatchUpdates { context in
          _ = context.modifying.authors.remove(Blog.busyAuthor)
        }
        return before - blog.rowCount
      })
  }
}

extension Blog {
  fileprivate static let busyAuthor = Author.EntityID(1_000_000_000)
  fileprivate static let busyPosts = 1_000

  fileprivate var rowCount: Int { authors.count + posts.count + comments.count }

  /// Returns the database with one more author, who has 1,000 posts with ten comments each by
  /// another author.
  fileprivate func withBusyAuthor() throws -> Blog {
    let first = Self.busyAuthor.raw
    let reader = Author.EntityID(first + 1)
    var result = self
    try result.performBatchUpdates { context in
      for id in [Self.busyAuthor, reader] {
        context.modifying.authors.insert(
          Author(id: id.raw, name: "author", born: 1970, followers: 0, score: 0))
      }
      for number in 0..<Self.busyPosts {
        let post = Post(
          id: first + number, name: "post", authorID: Self.busyAuthor, views: 0, score: 0)
        context.modifying.posts.insert(post)
        for place in 0..<10 {
          context.modifying.comments.insert(
            Comment(
              id: first + 10 * number + place, name: "comment", postID: post.entityID,
              authorID: reader, score: 0))
        }
      }
    }
    return result
  }
}

extension Draft {
  /// Changes a field without an index, and in every tenth row also an indexed field.
  fileprivate mutating func change(at place: Int) {
    score &+= 1
    if place % 10 == 0 { views = BlogData.mostViews - views }
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func updateDrafts(
  _ context: inout BatchContext<IndexedDrafts>, _ ids: [Draft.EntityID], _ places: Range<Int>
) {
  for place in places {
    context.modifying.drafts.updateIfExists(id: ids[place]) { $0.change(at: place) }
  }
}

@inline(never)
func updatePlainDrafts(
  _ context: inout BatchContext<PlainDrafts>, _ ids: [Draft.EntityID], _ places: Range<Int>
) {
  for place in places {
    context.modifying.drafts.updateIfExists(id: ids[place]) { $0.change(at: place) }
  }
}
