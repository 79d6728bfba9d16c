import EntiaDatabase

/// A post that is kept in a file.
protocol KeptPost: EntityType, Identifiable where EntityIDRawType == Int {
  var score: Int { get set }

  init(_ post: Post)
}

extension Post: KeptPost {
  init(_ post: Post) { self = post }
}

/// A table of posts that is kept in a file.
struct KeptTable<Row: KeptPost>: NormalizedStorageType {
  struct Contents: StorageContents {
    var posts = Tables.Hash<Row>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("posts", \.posts) }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<Row> { snapshot.contents.posts }

  init() {}

  init(_ posts: [Post]) {
    let rows = posts.map(Row.init)
    performBatchUpdates { $0.modifying.posts.insert(rows) }
  }

  /// Raises the score of a post.
  mutating func raiseScore(of id: Row.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  /// Raises the scores of posts, and returns these.
  mutating func raiseScores(of ids: ArraySlice<Row.EntityID>) -> [Row] {
    performBatchUpdates { context in
      for id in ids { context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 } }
    }
    return ids.compactMap { posts.find(by: $0) }
  }
}

typealias KeptPosts = KeptTable<Post>
