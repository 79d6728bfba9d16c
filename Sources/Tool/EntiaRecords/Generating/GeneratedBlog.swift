/// A generated blog of any size: authors, posts and comments that depend only on a seed.
///
/// Every row depends only on the seed and its number, so that a text of any length is written
/// without storing rows. Every author has at least one post or comment, and every comment belongs
/// to one post, so that all formats contain the same database.
public struct GeneratedBlog: Hashable, Sendable {
  /// The formats of a blog.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// An array of posts that contain their authors and comments.
    case nested
    /// A database: schema, tables and result.
    case tables
    /// One nested post per line.
    case ndjson
    /// A JSON:API compound document: posts as `data`, the rest as `included`.
    case jsonapi
  }

  /// The maximum number of rows of one table.
  public static let maximumCount = 1_000_000_000

  /// The number of authors.
  public let authors: Int
  /// The number of posts.
  public let posts: Int
  /// The number of comments of all posts together.
  public let comments: Int
  /// The seed of the content.
  public let seed: UInt64

  /// Creates a blog; nothing is generated until it is written.
  ///
  /// - Throws: A ``GeneratedBlogError`` if a count is out of bounds, there are comments but no
  ///   posts, or there are more authors than posts and comments.
  public init(
    authors: Int, posts: Int, comments: Int, seed: UInt64
  ) throws(GeneratedBlogError) {
    for (name, count) in [("authors", authors), ("posts", posts), ("comments", comments)]
    where !(0...Self.maximumCount).contains(count) {
      throw .countOutOfBounds(name, count)
    }
    if comments > 0, posts == 0 { throw .commentsWithoutPosts(comments) }
    if authors > posts + comments { throw .idleAuthors(authors, works: posts + comments) }
    self.authors = authors
    self.posts = posts
    self.comments = comments
    self.seed = seed
  }

  /// The entities and relationships of a blog.
  public static let schema = Schema([
    Schema.Entity("authors"),
    Schema.Entity(
      "comments", relationships: [Schema.Relationship("author", to: "authors")]),
    Schema.Entity(
      "posts",
      relationships: [
        Schema.Relationship("author", to: "authors"),
        Schema.Relationship("comments", to: "comments", isMany: true),
      ]),
  ])

  /// The entity of the rows at the top level.
  public static let root = "posts"
}
