import EntiaDatabase

/// A post that refers to two authors.
struct Draft: EntityType, Identifiable {
  let id: Int
  var name: String
  var authorID: Author.EntityID
  var editorID: Author.EntityID
  var views: Int
  var score: Int
}

/// Drafts with three indexes and two relationships.
struct IndexedDrafts: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()
    var draftsByViews = Indexes.Sorted<Draft, Int>(\.views)
    var draftName = Indexes.Unique<Draft, String>(\.name)
    var draftsByAuthor = Indexes.GroupBy<Draft, Author.EntityID>(\.authorID)
    var draftAuthor = ToOne<Draft, Author>(\.authorID, onDelete: .cascade)
    var draftEditor = ToOne<Draft, Author>(\.editorID, onDelete: .deny)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
      visitor.index("draftsByViews", \.draftsByViews)
      visitor.index("draftName", \.draftName)
      visitor.index("draftsByAuthor", \.draftsByAuthor)
      visitor.relationship("draftAuthor", \.draftAuthor)
      visitor.relationship("draftEditor", \.draftEditor)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

/// The same drafts with only the tables.
struct PlainDrafts: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var drafts = Tables.Hash<Draft>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("drafts", \.drafts)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

extension Draft {
  /// Creates a draft of a post. Its editor is the author with the next ID after the post's author.
  init(_ post: Post, authorCount: Int) {
    id = post.id
    name = post.name
    authorID = post.authorID
    editorID = Author.EntityID(post.authorID.raw % authorCount + 1)
    views = post.views
    score = post.score
  }
}
