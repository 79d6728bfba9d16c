import EntiaDatabase

extension Stage {
  /// The IDs of the posts of each author with 5 to 20 posts. The authors are shuffled.
  var usualWriters: [(author: Author.EntityID, posts: [Post.EntityID])] {
    get throws {
      let blog = try blog.get()
      return authors.compactMap { author in
        guard let view = blog.view(of: author.entityID) else { return nil }
        let ids = view[inverse: \.postAuthor].ids
        return 5...20 ~= ids.count ? (author.entityID, ids) : nil
      }
    }
  }

  /// The number of posts that a screen shows repeatedly: few enough to be cached, and not all.
  var shownCount: Int { min(1_000, size / 2) }
}
