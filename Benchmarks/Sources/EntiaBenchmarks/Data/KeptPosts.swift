import EntiaDatabase

/// A post that is kept in a file.
protocol KeptPost: EntityType, Identifiable where EntityIDRawType == Int {
  var score: Int { get set }

  init(_ post: Post)
}

extension Post: KeptPost {
  init(_ post: Post) { self = post }
}

/// The same post, read and written by its `Codable`.
struct CodablePost: KeptPost, Codable {
  let id: Int
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int

  init(_ post: Post) {
    id = post.id
    name = post.name
    authorID = post.authorID
    views = post.views
    score = post.score
  }
}

/// A table of posts that is kept in a file.
///
/// Storages are not generic, as those of apps: their key paths are then created once.
protocol KeptTable: NormalizedStorageType {
  associatedtype Row: KeptPost

  var posts: Tables.Hash<Row> { get }

  /// Raises the score of a post.
  mutating func raiseScore(of id: Row.EntityID)

  /// Raises the scores of posts, and returns these.
  mutating func raiseScores(of ids: ArraySlice<Row.EntityID>) -> [Row]

  init(_ posts: [Post])
}

/// A table of posts with generated code that is kept in a file.
struct KeptPosts: KeptTable {
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

  mutating func raiseScore(of id: Post.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  mutating func raiseScores(of ids: ArraySlice<Post.EntityID>) -> [Post] {
    performBatchUpdates { context in
      for id in ids { context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 } }
    }
    return ids.compactMap { posts.find(by: $0) }
  }
}
