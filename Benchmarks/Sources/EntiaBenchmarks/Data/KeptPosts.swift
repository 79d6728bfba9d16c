import EntiaDatabase

/// A table of posts that is kept in a file.
struct KeptPosts: NormalizedStorageType {
  struct Contents: StorageContents {
    var posts = Tables.Hash<Post>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("posts", \.posts) }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<Post> { snapshot.contents.posts }

  init() {}

  init(_ posts: [Post]) {
    performBatchUpdates { $0.modifying.posts.insert(posts) }
  }

  /// Raises the score of a post.
  mutating func raiseScore(of id: Post.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  /// Raises the scores of posts, and returns these.
  mutating func raiseScores(of ids: ArraySlice<Post.EntityID>) -> [Post] {
    performBatchUpdates { context in
      for id in ids { context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 } }
    }
    return ids.compactMap { posts.find(by: $0) }
  }
}
