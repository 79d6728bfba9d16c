import Entia
import Foundation

/// A storage with everything at once: tables of both kinds, delete rules of all kinds, constraints,
/// indexes, held IDs, ages and answers.
enum Wall {
  @Entity
  struct User {
    let id: Int
    var email: String
    var level = 0
    @Transient var isOpen = false
  }

  @Entity
  struct Post {
    let id: Int
    var title: String
    var year: Int
    var code: String?
    var authorID: User.EntityID
    var editorID: User.EntityID?
  }

  @Entity
  struct Comment {
    let id: Int
    var text: String
    var postID: Post.EntityID
    var authorID: User.EntityID?
    var tagIDs: [Tag.EntityID] = []
  }

  @Entity
  struct Tag {
    let id: Int
    var name: String
    var ownerID: Post.EntityID?
  }

  @NormalizedStorage
  struct Storage: Codable {
    @Table var users: Tables.Ordered<User> = .init()
    @Table var posts: Tables.Hash<Post> = .init()
    @Table var comments: Tables.Ordered<Comment> = .init()
    @Table var tags: Tables.Hash<Tag> = .init()
    @Relationship
    var postAuthor: ToOne<Post, User> = .init(\.authorID, onDelete: .deny).required()
    @Relationship var postEditor: ToOne<Post, User> = .init(\.editorID, onDelete: .nullify)
    @Relationship var commentPost: ToOne<Comment, Post> = .init(\.postID, onDelete: .cascade)
    @Relationship
    var commentAuthor: ToOne<Comment, User> = .init(\.authorID, onDelete: .nullify)
    @Relationship var commentTags: ToMany<Comment, Tag> = .init(\.tagIDs, onDelete: .nullify)
    @Relationship var tagOwner: ToOne<Tag, Post> = .init(\.ownerID, onDelete: .cascade)
    @Check
    var year: Checks.Entity<Post> = .init("no title t4 in the year 4") {
      $0.year != 4 || $0.title != "t4 w4"
    }
    @Index var byYear: Indexes.Sorted<Post, Int> = .init(\.year)
    @Index var code: Indexes.Unique<Post, String> = .init(\.code)
    @Index var text: Indexes.Text<Post> = .init(\.title)
    @Index var favorites: Indexes.OrderedID<Post> = .init()
    @Index var unread: Indexes.Set<Post> = .init()
    @Index var postAges: Indexes.Age<Post> = .init()
    @Index var commentAges: Indexes.Age<Comment> = .init()
    @Index var tagAges: Indexes.Age<Tag> = .init()
    @Index var answers: Indexes.Responses<Int, Post> = .init()
  }

  /// Two databases and a text.
  struct State: StateType {
    var wall = Storage()
    var side = Storage()
    var text = ""
  }

  /// Five users, of whom three have posts with comments and tags.
  static func sample() throws -> Storage {
    var wall = Storage()
    try wall.performBatchUpdates { context in
      context.modifying.users.insert((0..<5).map { User(id: $0, email: "e\($0)") })
      context.modifying.posts.insert(
        (0..<4).map { Post(id: $0, title: "t\($0) w1", year: $0, authorID: User.EntityID($0 % 3)) },
        receivedAt: time(0))
      context.modifying.tags.insert((0..<2).map { Tag(id: $0, name: "n\($0)") })
      context.modifying.comments.insert(
        (0..<5).map {
          Comment(id: $0, text: "x\($0 % 3)", postID: Post.EntityID($0 % 4), tagIDs: [0])
        }, receivedAt: time(0))
      context.modifying.favorites.append(2)
    }
    return wall
  }

  /// The time of a step of a history.
  static func time(_ step: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(step)) }
}
