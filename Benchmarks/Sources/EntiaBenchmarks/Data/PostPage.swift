import EntiaDatabase

/// A post with the other contents of its screen: a value made of entities.
struct PostPage {
  let post: Post
  let author: Author?
  let comments: [CommentRow]

  /// The sum of the values that a screen would read.
  var sum: Int {
    comments.reduce(post.score &+ (author?.score ?? 0)) {
      $0 &+ $1.comment.score &+ ($1.author?.score ?? 0)
    }
  }
}

struct CommentRow {
  let comment: Comment
  let author: Author?
}

extension PostPage: EntityShape {
  init(_ post: ResolvingView<Blog, Post>) {
    self.post = post.entity
    author = post[\.postAuthor]?.entity
    comments = post[inverse: \.commentPost, as: CommentRow.self]
  }

  /// Creates a page by following relationships through a view.
  init(_ post: EntityView<Blog, Post>) {
    self.post = post.entity
    author = post[\.postAuthor]?.entity
    comments = post[inverse: \.commentPost].map {
      CommentRow(comment: $0.entity, author: $0[\.commentAuthor]?.entity)
    }
  }
}

extension CommentRow: EntityShape {
  init(_ comment: ResolvingView<Blog, Comment>) {
    self.comment = comment.entity
    author = comment[\.commentAuthor]?.entity
  }
}

extension DictionaryBlog {
  /// Returns a page by manual lookups.
  @inline(__always)
  func page(of id: Int) -> PostPage? {
    guard let post = posts[id] else { return nil }
    let rows = (commentsOfPost[id] ?? []).compactMap { id in
      comments[id].map { CommentRow(comment: $0, author: authors[$0.authorID.raw]) }
    }
    return PostPage(post: post, author: authors[post.authorID.raw], comments: rows)
  }
}
