import EntiaDatabase

/// Posts with an index by their views.
struct RankedBlog: NormalizedStorageType {
  struct Contents: StorageContents {
    var posts = Tables.Hash<Post>()
    var postsByViews = Indexes.Sorted<Post, Int>(\.views)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("posts", \.posts)
      visitor.index("postsByViews", \.postsByViews)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<Post> { snapshot.contents.posts }
  var postsByViews: Indexes.Sorted<Post, Int> { snapshot.contents.postsByViews }
}

extension RankedBlog {
  init(_ posts: [Post]) { snapshot = Snapshot(Contents(posts: Tables.Hash(posts))) }
}

extension Post {
  /// Moves the post to the other end of an order by views. The next call moves it back.
  mutating func mirrorViews() { views = BlogData.mostViews - views }
}

extension RankedBlog {
  /// Changes a field that is in no index.
  mutating func raiseScore(of id: Post.EntityID) throws {
    try performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }
}
