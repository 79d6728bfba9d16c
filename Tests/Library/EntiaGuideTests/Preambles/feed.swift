import Entia
import EntiaJSON
import Foundation

@Entity
private struct Author {
  let id: String
  var name: String
}

@Entity
private struct Post {
  let id: String
  var title: String
  var authorID: Author.EntityID
}

private enum FeedRequest: Hashable, Codable, Sendable { case home }

@NormalizedStorage
private struct Feed {
  @Table var posts: Tables.Hash<Post> = .init()
  @Table var authors: Tables.Hash<Author> = .init()
  @Relationship var postAuthor: ToOne<Post, Author> = .init(\.authorID, onDelete: .deny)
  @Index var postAges: Indexes.Age<Post> = .init()
  @Index var answers: Indexes.Responses<FeedRequest, Post> = .init()
}

private struct AppState: StateType {
  var feed = Feed()
}

private let store = Store<AppState, Never>(initialState: AppState())
