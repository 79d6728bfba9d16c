package import EntiaDatabase
package import EntiaTestDomains
import Foundation

/// A feed that is a cache of a server: with held posts, ages and answers.
package struct CachedFeed: NormalizedStorageType {
  package struct Contents: StorageContents {
    package var posts = Tables.Hash<Post>()
    package var users = Tables.Ordered<User>()
    package var postAuthor = ToOne<Post, User>(\.authorID, onDelete: .cascade)
    package var favorites = Indexes.OrderedID<Post>()
    package var unread = Indexes.Set<Post>()
    package var postAges = Indexes.Age<Post>()
    package var answers = Indexes.Responses<String, Post>()

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("posts", \.posts)
      visitor.table("users", \.users)
      visitor.relationship("postAuthor", \.postAuthor)
      visitor.index("favorites", \.favorites)
      visitor.index("unread", \.unread)
      visitor.index("postAges", \.postAges)
      visitor.index("answers", \.answers)
    }
  }

  package typealias Refusal = any Error

  package var snapshot = Snapshot(Contents())

  package init() {}
}

extension CachedFeed {
  /// The rows and the held IDs in their orders, as a text.
  package var rowImage: String {
    let contents = snapshot.contents
    return """
      posts \(contents.posts.map { "\($0)" })
      users \(contents.users.map { "\($0)" })
      favorites \(contents.favorites.ids()) unread \(contents.unread.ids())
      """
  }

  /// All that a file of one process has, as a text.
  package var image: String {
    let contents = snapshot.contents
    let times = contents.postAges.ids().map {
      "\($0.raw) \(time(contents.postAges.receivedAt($0)))"
    }
    let answers = contents.answers.requests().map { request -> String in
      let answer = contents.answers[request]
      return """
        \(request) \(contents.answers.ids(for: request)) \(time(answer?.receivedAt)) \
        \(answer?.cursor ?? "-") \(answer?.isInvalidated == true)
        """
    }
    return "\(rowImage)\nages \(times)\nanswers \(answers)"
  }

  private func time(_ date: Date?) -> String {
    date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "-"
  }
}
