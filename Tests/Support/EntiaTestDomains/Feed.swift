package import EntiaDatabase

package struct Post: EntityType, Identifiable, Codable {
  package let id: Int
  package var title: String
  package var year: Int
  package var rating: Double
  package var code: String?
  package var length: Int
  package var authorID: User.EntityID

  package init(
    id: Int, title: String, year: Int, rating: Double = 0, code: String? = nil, length: Int = 0,
    authorID: User.EntityID = 0
  ) {
    self.id = id
    self.title = title
    self.year = year
    self.rating = rating
    self.code = code
    self.length = length
    self.authorID = authorID
  }
}

package struct User: EntityType, Identifiable, Codable {
  package let id: Int
  package var email: String

  package init(id: Int, email: String) {
    self.id = id
    self.email = email
  }
}

/// A social feed: an index of every kind, and posts that the user holds.
package struct Feed: NormalizedStorageType, Codable {
  package struct Contents: StorageContents {
    package var posts = Tables.Hash<Post>()
    package var users = Tables.Ordered<User>()
    package var byYear = Indexes.Sorted<Post, Int>(\.year)
    package var byRating = Indexes.Sorted<Post, Double>(\.rating, where: { $0.year > 0 })
    // A rating below 0 has no root: NaN.
    package var byRoot = Indexes.Sorted<Post, Double> { $0.rating.squareRoot() }
    package var byTitle = Indexes.Sorted<Post, String> { $0.title.lowercased() }
    package var byYearAndTitle = Indexes.Sorted<Post, SortKeys<Int, Descending<String>>>(
      by: .ascending(\.year), .descending(\.title))
    package var code = Indexes.Unique<Post, String>(\.code)
    package var email = Indexes.Unique<User, String>(\.email)
    package var titles = Indexes.Hash<Post, String>(\.title)
    package var byAuthor = Indexes.GroupBy<Post, User.EntityID>(\.authorID)
    package var postText: Indexes.Text<Post> = .init(\.title, \.code)
    package var titleParts: Indexes.Substring<Post> = .init(\.title)
    package var favorites = Indexes.OrderedID<Post>()
    package var unread = Indexes.Set<Post>()
    package var postAuthor = ToOne<Post, User>(\.authorID, onDelete: .cascade)

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("posts", \.posts)
      visitor.table("users", \.users)
      visitor.index("byYear", \.byYear)
      visitor.index("byRating", \.byRating)
      visitor.index("byRoot", \.byRoot)
      visitor.index("byTitle", \.byTitle)
      visitor.index("byYearAndTitle", \.byYearAndTitle)
      visitor.index("code", \.code)
      visitor.index("email", \.email)
      visitor.index("titles", \.titles)
      visitor.index("byAuthor", \.byAuthor)
      visitor.index("postText", \.postText)
      visitor.index("titleParts", \.titleParts)
      visitor.index("favorites", \.favorites)
      visitor.index("unread", \.unread)
      visitor.relationship("postAuthor", \.postAuthor)
    }
  }

  package typealias Refusal = any Error

  package var snapshot = Snapshot(Contents())
  package var posts: Tables.Hash<Post> { snapshot.contents.posts }
  package var byYear: Indexes.Sorted<Post, Int> { snapshot.contents.byYear }
  package var byRating: Indexes.Sorted<Post, Double> { snapshot.contents.byRating }
  package var byTitle: Indexes.Sorted<Post, String> { snapshot.contents.byTitle }
  package var byYearAndTitle: Indexes.Sorted<Post, SortKeys<Int, Descending<String>>> {
    snapshot.contents.byYearAndTitle
  }
  package var code: Indexes.Unique<Post, String> { snapshot.contents.code }
  package var email: Indexes.Unique<User, String> { snapshot.contents.email }
  package var titles: Indexes.Hash<Post, String> { snapshot.contents.titles }
  package var byAuthor: Indexes.GroupBy<Post, User.EntityID> { snapshot.contents.byAuthor }

  package var favorites: Indexes.OrderedID<Post> { snapshot.contents.favorites }
  package var unread: Indexes.Set<Post> { snapshot.contents.unread }

  package init() {}

  package init(_ posts: [Post], users: [User] = [User(id: 0, email: "a@b.c")]) throws {
    try performBatchUpdates { context in
      context.modifying.users.insert(users)
      context.modifying.posts.insert(posts)
    }
  }

  /// A user with four posts, three of which are favorites and one of which is unread.
  package static func sample() throws -> Feed {
    var feed = Feed()
    try feed.performBatchUpdates { context in
      context.modifying.users.insert(User(id: 0, email: "b"))
      context.modifying.posts.insert((1...4).map { Post(id: $0, title: "t", year: 1) })
      for id in [3, 1, 2] as [Post.EntityID] { context.modifying.favorites.append(id) }
      context.modifying.unread.insert(2)
    }
    return feed
  }
}
