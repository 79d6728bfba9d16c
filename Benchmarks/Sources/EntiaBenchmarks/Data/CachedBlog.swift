import Entia
import EntiaDatabase
import Foundation

/// The data of a `MacroBlog`, with the times at which its rows were received.
@NormalizedStorage
struct CachedBlog {
  @Table var authors: Tables.Hash<MacroAuthor> = .init()
  @Table var comments: Tables.Hash<MacroComment> = .init()
  @Table var posts: Tables.Hash<MacroPost> = .init()
  @Relationship var postAuthor: ToOne<MacroPost, MacroAuthor> =
    .init(\.author, onDelete: .deny)
  @Relationship var commentAuthor: ToOne<MacroComment, MacroAuthor> =
    .init(\.author, onDelete: .deny)
  @Relationship var postComments: ToMany<MacroPost, MacroComment> =
    .init(\.comments, onDelete: .deny)
  @Index var authorAges: Indexes.Age<MacroAuthor> = .init()
  @Index var commentAges: Indexes.Age<MacroComment> = .init()
  @Index var postAges: Indexes.Age<MacroPost> = .init()
}

/// Posts and their authors, without ages.
struct PlainPosts: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var posts = Tables.Hash<Post>()
    var postAuthor = ToOne<Post, Author>(\.authorID, onDelete: .deny)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
      visitor.relationship("postAuthor", \.postAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

/// Posts and their authors, with the times at which the posts were received.
struct CachedPosts: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var posts = Tables.Hash<Post>()
    var postAuthor = ToOne<Post, Author>(\.authorID, onDelete: .deny)
    var postAges = Indexes.Age<Post>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
      visitor.relationship("postAuthor", \.postAuthor)
      visitor.index("postAges", \.postAges)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var postAges: Indexes.Age<Post> { snapshot.contents.postAges }
}

/// A storage of posts and authors.
protocol PostStorage: NormalizedStorageType {
  init()
  static func insert(_ authors: [Author], _ posts: [Post], _ context: inout BatchContext<Self>)
  static func raiseScore(of id: Post.EntityID, _ context: inout BatchContext<Self>)
}

extension PlainPosts: PostStorage {
  static func insert(_ authors: [Author], _ posts: [Post], _ context: inout BatchContext<Self>) {
    context.modifying.authors.insert(authors)
    context.modifying.posts.insert(posts)
  }

  static func raiseScore(of id: Post.EntityID, _ context: inout BatchContext<Self>) {
    context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
  }
}

extension CachedPosts: PostStorage {
  /// The number of rows that are received at one time.
  static let pageSize = 20

  /// The rows are received in pages, in the order of their IDs.
  static func insert(_ authors: [Author], _ posts: [Post], _ context: inout BatchContext<Self>) {
    context.modifying.authors.insert(authors)
    for start in stride(from: 0, to: posts.count, by: pageSize) {
      context.modifying.posts.insert(
        posts[start..<min(start + pageSize, posts.count)],
        receivedAt: Date(timeIntervalSinceReferenceDate: Double(start)))
    }
  }

  static func raiseScore(of id: Post.EntityID, _ context: inout BatchContext<Self>) {
    context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
  }
}
