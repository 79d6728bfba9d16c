import EntiaDatabase

/// A post that contains its author and comments, as decoded from JSON: the model without a
/// database.
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

extension NestedPost {
  /// Returns the posts, each with copies of its author, its comments and their authors.
  static func all(of posts: [Post], _ authors: [Author], comments: [Comment]) -> [NestedPost] {
    let authors = Dictionary(uniqueKeysWithValues: authors.map { ($0.entityID, NestedAuthor($0)) })
    let comments = Dictionary(grouping: comments, by: \.postID)
    return posts.compactMap { post in
      guard let author = authors[post.authorID] else { return nil }
      let own = (comments[post.entityID] ?? []).compactMap { comment in
        authors[comment.authorID].map {
          NestedComment(id: comment.id, name: comment.name, author: $0, score: comment.score)
        }
      }
      return NestedPost(
        id: post.id, name: post.name, author: author, views: post.views, score: post.score,
        comments: own)
    }
  }
}

extension [NestedPost] {
  /// Returns the position of a post by linear search.
  func place(of id: Int) -> Int? { firstIndex { $0.id == id } }
}
