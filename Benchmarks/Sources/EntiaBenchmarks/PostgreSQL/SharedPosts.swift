#if canImport(CPostgreSQL)
  import EntiaDatabase
  import EntiaPostgreSQL
  import EntiaStore
  import Foundation

  /// A store whose posts are shared, with connections of its own.
  final class SharedPosts: Sendable {
    let space: String
    let store: Store<PostsState, Never>
    let shared: SharedDatabase<KeptPosts>
    let sharing: DatabaseSharing<KeptPosts>

    /// Opens a space, a new one unless it has a name.
    init(
      connecting string: String, space: String = UUID().uuidString, _ posts: [Post] = []
    ) async throws {
      try await SharedDatabase<KeptPosts>.install(connecting: string)
      self.space = space
      shared = try await SharedDatabase(connecting: string, space: space)
      store = Store(initialState: PostsState(posts: try await shared.load()))
      sharing = try store.share(\.posts, through: shared)
      if posts.isEmpty { return }
      store.commit { state in
        state.posts.performBatchUpdates { $0.modifying.posts.insert(posts) }
      }
      try await sharing.settled()
    }

    deinit {
      sharing.close()
      let shared = shared
      Task { await shared.close() }
    }

    func raiseScore(of id: Post.EntityID) { store.commit { $0.posts.raiseScore(of: id) } }

    /// Changes a post, and waits until the server has confirmed it.
    func push(_ id: Post.EntityID) async throws {
      raiseScore(of: id)
      try await sharing.settled()
    }
  }
#endif
