import EntiaDatabase

/// Generated posts, with an author for ten of them and three comments for each; few authors write
/// most of it.
struct BlogData {
  let authors: [Author]
  let posts: [Post]
  let comments: [Comment]

  init(posts count: Int, seed: UInt64 = 1) {
    var generator = SplitMix64(seed: seed)
    let authorCount = max(10, count / 10)
    let writers = Zipf(count: authorCount)
    authors = (1...authorCount).shuffled(using: &generator).map { id in
      Author(
        id: id, name: Self.name("author", id), born: 1900 + id % 100,
        followers: Int.random(in: 0..<10_000, using: &generator), score: id & 7)
    }
    posts = (1...count).shuffled(using: &generator).map { id in
      Post(
        id: id, name: Self.name("post", id),
        authorID: Author.EntityID(writers.draw(using: &generator) + 1),
        views: Int.random(in: 0..<100_000, using: &generator), score: id & 7)
    }
    comments = (1...(3 * count)).shuffled(using: &generator).map { id in
      Comment(
        id: id, name: Self.name("comment", id), postID: Post.EntityID((id - 1) / 3 + 1),
        authorID: Author.EntityID(writers.draw(using: &generator) + 1), score: id & 7)
    }
  }

  /// The kind and the number, filled up to 20 bytes.
  private static func name(_ kind: String, _ id: Int) -> String {
    let digits = String(id)
    return kind + String(repeating: ".", count: 20 - kind.utf8.count - digits.utf8.count) + digits
  }
}
