import EntiaDatabase

/// The same data in plain dictionaries, with a reverse map that an app updates by hand.
struct DictionaryBlog: Equatable {
  var authors: [Int: Author]
  var posts: [Int: Post]
  var comments: [Int: Comment]
  var commentsOfPost: [Int: [Int]]

  init(_ data: BlogData) {
    authors = Dictionary(uniqueKeysWithValues: data.authors.map { ($0.id, $0) })
    posts = Dictionary(uniqueKeysWithValues: data.posts.map { ($0.id, $0) })
    comments = Dictionary(uniqueKeysWithValues: data.comments.map { ($0.id, $0) })
    commentsOfPost = Dictionary(grouping: data.comments, by: \.postID.raw)
      .mapValues { $0.map(\.id) }
  }
}
