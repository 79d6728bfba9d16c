import EntiaDatabase

/// Generated posts, with one author for every ten of them and three comments for each. A few
/// authors write most of the posts and comments. The data are the same in every process.
struct BlogData {
  let authors: [Author]
  let posts: [Post]
  let comments: [Comment]

  /// The maximum number of views of a post.
  static let mostViews = 99_999

  static func authors(ofPosts count: Int) -> [Author] {
    var generator = SplitMix64(seed: 11)
    return (1...authorCount(count)).shuffled(using: &generator).map { id in
      Author(
        id: id, name: name("author", id), born: 1900 + id % 100,
        followers: Int.random(in: 0..<10_000, using: &generator), score: id & 7)
    }
  }

  static func posts(_ count: Int) -> [Post] {
    var generator = SplitMix64(seed: 12)
    let writers = Zipf(count: authorCount(count))
    return (1...count).shuffled(using: &generator).map { id in
      Post(
        id: id, name: name("post", id),
        authorID: Author.EntityID(writers.draw(using: &generator) + 1),
        views: Int.random(in: 0...mostViews, using: &generator), score: id & 7)
    }
  }

  static func comments(ofPosts count: Int) -> [Comment] {
    var generator = SplitMix64(seed: 13)
    let writers = Zipf(count: authorCount(count))
    return (1...(3 * count)).shuffled(using: &generator).map { id in
      Comment(
        id: id, name: name("comment", id), postID: Post.EntityID((id - 1) / 3 + 1),
        authorID: Author.EntityID(writers.draw(using: &generator) + 1), score: id & 7)
    }
  }

  private static func authorCount(_ posts: Int) -> Int { max(10, posts / 10) }

  /// Returns the kind and the number, padded to 20 bytes.
  private static func name(_ kind: String, _ id: Int) -> String {
    let digits = String(id)
    return kind + String(repeating: ".", count: 20 - kind.utf8.count - digits.utf8.count) + digits
  }
}
