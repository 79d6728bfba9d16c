import Entia

// The entities of the nested JSON, read by generated code.

@Entity
struct MacroAuthor {
  let id: String
  let name: String
  let age: Int
}

@Entity
struct MacroComment {
  let id: String
  let text: String
  let likes: Int
  let author: MacroAuthor.EntityID
}

@Entity
struct MacroPost {
  let id: String
  let title: String
  let year: Int
  let score: Double
  let published: Bool
  let author: MacroAuthor.EntityID
  let comments: [MacroComment.EntityID]
}

/// The same data as that of an `ImportedBlog`.
@NormalizedStorage
struct MacroBlog {
  @Table var authors: Tables.Hash<MacroAuthor> = .init()
  @Table var comments: Tables.Hash<MacroComment> = .init()
  @Table var posts: Tables.Hash<MacroPost> = .init()
  @Relationship var postAuthor: ToOne<MacroPost, MacroAuthor> =
    .init(\.author, onDelete: .deny)
  @Relationship var commentAuthor: ToOne<MacroComment, MacroAuthor> =
    .init(\.author, onDelete: .deny)
  @Relationship var postComments: ToMany<MacroPost, MacroComment> =
    .init(\.comments, onDelete: .deny)
}
