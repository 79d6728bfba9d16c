import EntiaDatabase

/// Authors, posts and comments, related by their keys.
struct Blog: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var posts = Tables.Hash<Post>()
    var comments = Tables.Hash<Comment>()
    var postAuthor = ToOne<Post, Author>(\.authorID, onDelete: .cascade)
    var commentPost = ToOne<Comment, Post>(\.postID, onDelete: .cascade)
    var commentAuthor = ToOne<Comment, Author>(\.authorID, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
      visitor.table("comments", \.comments)
      visitor.relationship("postAuthor", \.postAuthor)
      visitor.relationship("commentPost", \.commentPost)
      visitor.relationship("commentAuthor", \.commentAuthor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var authors: Tables.Hash<Author> { snapshot.contents.authors }
  var posts: Tables.Hash<Post> { snapshot.contents.posts }
  var comments: Tables.Hash<Comment> { snapshot.contents.comments }
}

extension Blog {
  init(_ data: BlogData) throws {
    self.init()
    try performBatchUpdates { context in
      context.modifying.authors.insert(data.authors)
      context.modifying.posts.insert(data.posts)
      context.modifying.comments.insert(data.comments)
    }
  }
}
