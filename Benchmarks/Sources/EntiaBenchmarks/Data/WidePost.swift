import Entia
import Foundation

/// A post with ten members, one of them nested.
@Entity
struct WidePost: KeptPost {
  enum Kind: String, Codable, Sendable { case text, link }
  struct Place: Codable, Hashable, Sendable {
    var city: String
    var zip: Int
  }

  let id: Int
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int
  var kind: Kind
  var rating: Double
  var date: Date
  var summary: String?
  var place: Place
}

extension WidePost {
  init(_ post: Post) {
    self.init(
      id: post.id, name: post.name, authorID: post.authorID, views: post.views,
      score: post.score, kind: post.id & 1 == 0 ? .text : .link, rating: Double(post.score) / 4,
      date: Date(timeIntervalSinceReferenceDate: Double(post.views)),
      summary: post.id & 3 == 0 ? post.name : nil,
      place: Place(city: post.name, zip: post.views))
  }
}
