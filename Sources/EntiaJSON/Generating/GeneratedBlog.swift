/// A blog of any size, made from a seed: authors, posts and comments, the same for the same seed.
///
/// Every row follows from the seed and its number alone, so that a text of any length is written
/// without keeping any of it. Every author has written something, and every comment belongs to one
/// post, so that each format holds the same database.
public struct GeneratedBlog: Hashable, Sendable {
  /// The shapes in which a blog can be written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// An array of posts, with their authors and comments nested in them.
    case nested
    /// A database: schema, tables and result.
    case tables
    /// A nested post on each line.
    case ndjson
    /// A JSON:API compound document: posts as `data`, the rest as `included`.
    case jsonapi
  }

  /// The most rows of one table.
  public static let maximumCount = 1_000_000_000

  /// How many authors there are.
  public let authors: Int
  /// How many posts there are.
  public let posts: Int
  /// How many comments there are, of all posts together.
  public let comments: Int
  /// What the contents follow from.
  public let seed: UInt64

  /// Makes a blog; nothing is written yet.
  ///
  /// - Throws: why there can be none of these sizes: a count out of bounds, comments without a post,
  ///   or more authors than there are posts and comments to name them.
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
