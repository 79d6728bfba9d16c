/// The reason why a blog of the requested size cannot be generated.
public enum GeneratedBlogError: Error, Hashable, Sendable {
  /// A table cannot have this many rows.
  case countOutOfBounds(String, Int)
  /// Comments are requested without a post that they could belong to.
  case commentsWithoutPosts(Int)
  /// There are more authors than posts and comments, so that some authors would be unreferenced.
  case idleAuthors(Int, works: Int)
}

extension GeneratedBlogError: CustomStringConvertible {
  /// A description of the problem.
  public var description: String {
    switch self {
    case .countOutOfBounds(let name, let count):
      "\(count) \(name) are not from 0 to \(GeneratedBlog.maximumCount)"
    case .commentsWithoutPosts(let count):
      "\(count) comments need at least 1 post that they belong to"
    case .idleAuthors(let count, let works):
      "\(count) authors need as many posts and comments that name them; there are \(works)"
    }
  }
}
