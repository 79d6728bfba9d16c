import EntiaDatabase

/// What the cases of one size share: the data, and keys in an order that has nothing to do with it.
///
/// Tables made here lazily are for reading; a case that writes makes its own.
final class Stage {
  let size: Int
  /// How many rows a case with "100 rows" touches: fewer in a small table.
  let hundred: Int

  init(size: Int) {
    self.size = size
    hundred = min(100, size)
  }

  private(set) lazy var data = BlogData(posts: size)

  /// The posts' raw IDs, shuffled.
  private(set) lazy var keys: [Int] = {
    var generator = SplitMix64(seed: 2)
    return (1...size).shuffled(using: &generator)
  }()

  private(set) lazy var postIDs: [Post.EntityID] = keys.map { Post.EntityID($0) }
  private(set) lazy var missingKeys: [Int] = keys.map { $0 + 2 * size }
  private(set) lazy var missingIDs: [Post.EntityID] = missingKeys.map { Post.EntityID($0) }

  /// The posts' IDs as strings, in the order of `keys`; equal to those in the pages, in other memory.
  private(set) lazy var stringKeys: [String] = keys.map(Self.stringKey)
  private(set) lazy var pageIDs: [Page.EntityID] = stringKeys.map { Page.EntityID($0) }
  private(set) lazy var pages: [Page] = data.posts.map {
    Page(
      entityID: Page.EntityID(Self.stringKey($0.id)), name: $0.name, authorID: $0.authorID,
      views: $0.views, score: $0.score)
  }

  private(set) lazy var table = Tables.Hash(data.posts)
  private(set) lazy var dictionary = Self.dictionary(data.posts)
  private(set) lazy var nested = makeNested()

  private(set) lazy var blog = Result { try Blog(data) }
  private(set) lazy var dictionaryBlog = DictionaryBlog(data)

  static func dictionary(_ posts: [Post]) -> [Int: Post] {
    var result: [Int: Post] = [:]
    for post in posts { result[post.id] = post }
    return result
  }

  /// Too long to be stored inline, as a UUID is.
  private static func stringKey(_ id: Int) -> String {
    let digits = String(id)
    return "post-" + String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }

  private func makeNested() -> [NestedPost] {
    let authors = Dictionary(
      uniqueKeysWithValues: data.authors.map { ($0.entityID, NestedAuthor($0)) })
    let comments = Dictionary(grouping: data.comments, by: \.postID)
    return data.posts.compactMap { post in
      guard let author = authors[post.authorID] else { return nil }
      let nested = (comments[post.entityID] ?? []).compactMap { comment in
        authors[comment.authorID].map {
          NestedComment(id: comment.id, name: comment.name, author: $0, score: comment.score)
        }
      }
      return NestedPost(
        id: post.id, name: post.name, author: author, views: post.views, score: post.score,
        comments: nested)
    }
  }
}
