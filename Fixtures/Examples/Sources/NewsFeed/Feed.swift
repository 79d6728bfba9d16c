import Entia

@Entity
struct Author {
  let id: Int
  var name: String
}

@Entity
struct Story {
  let id: Int
  var title: String
  var author: Author.EntityID
  /// The reader's own mark, which the server does not have.
  var isRead = false
}

enum FeedRequest: Hashable, Codable, Sendable {
  case top
}

@NormalizedStorage
struct Feed {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var stories: Tables.Hash<Story> = .init()
  @Relationship var storyAuthor: ToOne<Story, Author> = .init(\.author, onDelete: .deny)
  @Index var authorAges: Indexes.Age<Author> = .init()
  @Index var storyAges: Indexes.Age<Story> = .init()
  @Index var answers: Indexes.Responses<FeedRequest, Story> = .init()
  @Index var saved: Indexes.OrderedID<Story> = .init()
}

struct AppState: Equatable, Sendable {
  var feed = Feed()
}
