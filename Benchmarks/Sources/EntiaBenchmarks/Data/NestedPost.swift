/// A post with everything in it, as decoded from JSON: the model without a database.
struct NestedPost: Equatable {
  let id: Int
  var name: String
  var author: NestedAuthor
  var views: Int
  var score: Int
  var comments: [NestedComment]
}

struct NestedAuthor: Equatable {
  let id: Int
  var name: String
  var born: Int
  var followers: Int
  var score: Int

  init(_ author: Author) {
    id = author.id
    name = author.name
    born = author.born
    followers = author.followers
    score = author.score
  }
}

struct NestedComment: Equatable {
  let id: Int
  var name: String
  var author: NestedAuthor
  var score: Int
}

extension [NestedPost] {
  /// The place of a post, found as an array finds it.
  func place(of id: Int) -> Int? { firstIndex { $0.id == id } }
}
