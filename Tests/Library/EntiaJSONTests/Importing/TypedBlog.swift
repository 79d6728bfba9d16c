import EntiaDatabase
import EntiaJSON
import Foundation

struct TypedAuthor: EntityType, Identifiable, Codable {
  let id: String
  var name: String
  var friend: EntityID?
}

struct TypedComment: EntityType, Identifiable, Codable {
  let id: Int
  var text: String
  var author: TypedAuthor.EntityID
}

struct TypedPost: EntityType, Identifiable, Codable {
  let id: String
  var title: String
  var postedOn: Date?
  var authorID: TypedAuthor.EntityID
  var comments: [TypedComment.EntityID]
}

struct TypedBlog: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<TypedAuthor>()
    var comments = Tables.Ordered<TypedComment>()
    var posts = Tables.Hash<TypedPost>()
    var postComments = ToMany<TypedPost, TypedComment>(\.comments, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("comments", \.comments)
      visitor.table("posts", \.posts)
      visitor.relationship("postComments", \.postComments)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var authors: Tables.Hash<TypedAuthor> { snapshot.contents.authors }
  var comments: Tables.Ordered<TypedComment> { snapshot.contents.comments }
  var posts: Tables.Hash<TypedPost> { snapshot.contents.posts }
}

/// Ann wrote `p1`, and is Bob's friend, who commented on it.
let typedPosts = """
  [
    {"id": "p1", "title": "One", "postedOn": "2026-11-21T15:30:00Z",
     "author": {"id": "a1", "name": "Ann", "friend": null},
     "comments": [
       {"id": 2, "text": "Hi", "author": {"id": "a2", "name": "B\\u00f6b", "friend": {"id": "a1", "name": "Ann"}}},
       1
     ]},
    {"title": "Two", "id": "p2", "authorID": "a1",
     "comments": [{"id": 1, "text": "Ho", "author": "a2", "more": [1, {"x": []}]}]}
  ]
  """

func source(_ text: String, _ name: String = "in.json") -> ImportSource {
  ImportSource(name: name, bytes: Array(text.utf8))
}
