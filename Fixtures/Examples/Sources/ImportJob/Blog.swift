import Entia

@Entity
struct Author {
  let id: Int
  var name: String
}

@Entity
struct Post {
  let id: Int
  var title: String
  /// A list of posts leaves it out, and the page of one post contains it.
  var body: String?
  let author: Author.EntityID
  var comments: [Comment.EntityID]
}

@Entity
struct Comment {
  let id: Int
  var text: String
  let author: Author.EntityID
}

@NormalizedStorage
struct Blog: Codable {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var posts: Tables.Hash<Post> = .init()
  @Table var comments: Tables.Hash<Comment> = .init()
  @Relationship var postAuthor: ToOne<Post, Author> = .init(\.author)
  @Relationship var postComments: ToMany<Post, Comment> = .init(
    \.comments, onDelete: .nullify, onHolderDelete: .cascade)
  @Relationship var commentAuthor: ToOne<Comment, Author> = .init(\.author)
}
