#if canImport(CSQLite)
  import BenchmarkReport
  import EntiaDatabase
  import EntiaSQLite
  import EntiaStore
  import Foundation

  // Both sides are as durable, so that a good part of the time is the disk's.
  extension Case {
    static let pushToFile = Case(
      "batch of one row, pushed to a shared file", note: "from a commit to its confirmation",
      bars: [.of("sole save", 2)]
    ) { stage in
      let ids = stage.postIDs
      let kept = try KeptFile<KeptPosts>(stage)
      let shared = try SharedFilePosts(stage.posts)
      return [
        .clocked(Names.entia, stage.isSmoke ? 4 : 64) { count in
          try waiting { for place in 0..<count { try await shared.push(ids[place]) } }
        },
        .clocked("sole save", stage.isSmoke ? 4 : 64) { count in
          for place in 0..<count { try kept.save(raising: ids[place..<place + 1]) }
        },
      ]
    }

    static let applyFromFile = Case(
      "batches of others in a file applied, a batch", note: "100 at once", bars: [.of("apply", 2)]
    ) { stage in
      let count = stage.isSmoke ? 4 : 100
      let ids = stage.postIDs
      let shared = try SharedFilePosts(stage.posts)
      // The first batch after a save without a version makes readers load the file again.
      try waiting { try await shared.push(ids[0]) }
      let start = shared.store.state.posts
      var versions = [start]
      for place in 0..<count {
        var next = versions[place]
        next.raiseScore(of: ids[(place * 7) % ids.count])
        versions.append(next)
      }
      let changes = zip(versions.dropFirst(), versions).map { $0.changes(since: $1) }
      versions = []
      // It stays at the version before the batches.
      let reader = try DatabaseFile<KeptPosts>(
        path: shared.path.path, configuration: .init(isReadOnly: true))
      let state = PostsState(posts: try reader.load())
      try waiting {
        for place in 0..<count { shared.raiseScore(of: ids[(place * 7) % ids.count]) }
        try await shared.sharing.settled()
      }
      // Comparing all rows would take longer than applying the batches.
      let last = ids[((count - 1) * 7) % ids.count]
      let score = shared.store.state.posts.posts.find(by: last)?.score
      return [
        .catchingUp(
          count, from: state, until: { $0.posts.find(by: last)?.score == score }
        ) { store in
          // The file is removed with the object.
          let following = try withExtendedLifetime(shared) { try store.follow(\.posts, in: reader) }
          return { following.close() }
        },
        .clocked("apply", count) { count in
          var posts = start
          for number in 0..<count { try posts.apply(changes[number]) }
          blackHole(posts)
        },
      ]
    }
  }

  /// A store whose posts are shared through a file.
  private final class SharedFilePosts: @unchecked Sendable {
    // Unchecked because of the path, which does not change.
    let path: TemporaryFile
    let store: Store<PostsState, Never>
    let sharing: DatabaseSharing<KeptPosts>

    init(_ posts: [Post]) throws {
      path = try TemporaryFile()
      let first = try DatabaseFile<KeptPosts>(path: path.path)
      try first.save(KeptPosts(posts))
      try first.close()
      let file = try DatabaseFile<KeptPosts>(
        path: path.path, configuration: .init(access: .shared))
      let store = Store<PostsState, Never>(initialState: PostsState(posts: try file.load()))
      self.store = store
      sharing = try store.share(\.posts, through: file)
    }

    deinit { sharing.close() }

    func raiseScore(of id: Post.EntityID) { store.commit { $0.posts.raiseScore(of: id) } }

    /// Changes a post, and waits until the file has the batch.
    func push(_ id: Post.EntityID) async throws {
      raiseScore(of: id)
      try await sharing.settled()
    }
  }
#endif
