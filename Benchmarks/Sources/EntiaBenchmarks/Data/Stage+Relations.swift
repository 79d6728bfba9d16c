import EntiaDatabase

extension Stage {
  /// The IDs of the posts of each author who wrote between 5 and 20, authors in a shuffled order.
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

  /// The posts that a screen keeps showing: few enough to be remembered, and not all.
  var shownCount: Int { min(1_000, size / 2) }
}
