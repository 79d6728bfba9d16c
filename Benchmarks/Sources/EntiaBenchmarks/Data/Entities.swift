import Entia

// Each entity has an ID, a name of 20 bytes, which is too long to be stored inline, and three
// integers.

struct Author: EntityType, Identifiable {
  let id: Int
  var name: String
  var born: Int
  var followers: Int
  var score: Int
}

@Entity
struct Post: Codable {
  let id: Int
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int
}

struct Comment: EntityType, Identifiable {
  let id: Int
  var name: String
  var postID: Post.EntityID
  var authorID: Author.EntityID
  var score: Int
}

/// A post whose ID is a string, stored with its hash.
struct Page: EntityType {
  typealias EntityIDRawType = String
  let entityID: EntityID
  var name: String
  var authorID: Author.EntityID
  var views: Int
  var score: Int
}
