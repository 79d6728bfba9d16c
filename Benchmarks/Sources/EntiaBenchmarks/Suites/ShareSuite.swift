#if canImport(CPostgreSQL)
  import BenchmarkReport
  import EntiaDatabase
  import EntiaPostgreSQL
  import EntiaStore
  import Foundation

  extension Suite {
    /// A database in a PostgreSQL server of its own, compared with prepared statements that are
    /// written by hand. Times are by the clock, because the server's are a part of them.
    static let share = Suite(
      name: "share", summary: "a database in a PostgreSQL server", bytesPerRow: 1_200,
      check: checkShare, reasonToSkipAll: { BenchmarkServer.reasonToSkip },
      cases: [
        .pushOne, .commitToVisible, .applyOthers, .catchUp, .commitBesideUnsent, .manySpaces,
        .pushBesideReaders, .logBytes, .pushBytes,
      ])

    /// Checks that what is pushed is loaded and followed.
    private static func checkShare(_ stage: Stage) throws {
      let server = try BenchmarkServer.shared.get()
      let posts = Array(stage.posts.prefix(1_000))
      try waiting {
        let mine = try await SharedPosts(connecting: server.string, posts)
        let other = try await SharedPosts(connecting: server.string, space: mine.space)
        for post in posts.prefix(3) { try await mine.push(post.entityID) }
        try await other.waitUntilEqual(mine.store.state.posts)
        guard try await other.shared.load() == mine.store.state.posts else {
          throw Disagreement("correctness: what is loaded is not what was pushed")
        }
      }
    }
  }

  extension BenchmarkServer {
    /// The reason why there is no server; `nil` if there is one.
    static var reasonToSkip: String? {
      do {
        _ = try shared.get()
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  extension Case {
    /// The rows of a space: the costs of a batch do not depend on their number.
    static func posts(_ stage: Stage) -> [Post] { Array(stage.posts.prefix(1_000)) }

    static let pushOne = Case(
      "batch of one row, pushed", note: "from a commit to its confirmation",
      bars: [.of("libpq", 3)], isScaled: false
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      let count = stage.isSmoke ? 4 : 64
      let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let bare = try BareSpace(server, posts)
      let pipelined = try BareSpace(server, posts)
      return [
        .clocked(Names.entia, count) { count in
          try waiting { for place in 0..<count { try await mine.push(posts[place].entityID) } }
        },
        .clocked("libpq", count) { count in
          for place in 0..<count { try bare.write(posts[place]) }
        },
        .clocked("libpq, one round trip", count) { count in
          for place in 0..<count { try pipelined.writeAtOnce(posts[place]) }
        },
      ]
    }

    static let commitToVisible = Case(
      "commit to visible in another process", note: "in a store that follows the space",
      bars: [.of("push", 2)], isScaled: false
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      let id = posts[0].entityID
      let count = stage.isSmoke ? 4 : 64
      let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let other = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let process = try FollowingProcess(server, space: mine.space, id)
      try process.wait()
      return [
        Contender(Names.entia, isComparable: false) { run in
          while run.wantsMore {
            var nanoseconds = 0.0
            let count = run.size(count)
            for _ in 0..<count {
              let start = DispatchTime.now().uptimeNanoseconds
              mine.raiseScore(of: id)
              let score = mine.store.state.posts.posts.find(by: id)?.score
              nanoseconds += Double(try process.wait(forScore: score) - start)
              try waiting { try await mine.sharing.settled() }
            }
            run.add(count, nanoseconds: nanoseconds, result: 0)
          }
        },
        .clocked("push", count) { count in
          try waiting { for _ in 0..<count { try await other.push(id) } }
        },
      ]
    }

    static let applyOthers = applyingOthers(
      "batches of others applied, a batch", 500,
      note: "500 at once: read, decoded, and one commit")
    static let catchUp = applyingOthers(
      "10,000 batches of others applied, a batch", 10_000,
      note: "at once: each row 10 times, and one commit")

    private static func applyingOthers(_ name: String, _ count: Int, note: String) -> Case {
      Case(name, note: note, bars: [.of("apply", 2)], isScaled: false) { stage in
        let server = try BenchmarkServer.shared.get()
        let posts = posts(stage)
        let count = stage.isSmoke ? 8 : count
        // The pushes are not measured, and wait for no disk.
        let mine = try waiting {
          try await SharedPosts(
            connecting: "\(server.string) options='-c synchronous_commit=off'", posts)
        }
        let start = mine.store.state.posts
        var versions = [start]
        for place in 0..<count {
          var next = versions[place]
          next.raiseScore(of: posts[(place * 7) % posts.count].entityID)
          versions.append(next)
        }
        let changes = zip(versions.dropFirst(), versions).map { $0.changes(since: $1) }
        versions = []
        // It stays at the version before the batches.
        let (shared, state) = try waiting {
          let shared = try await SharedDatabase<KeptPosts>(
            connecting: server.string, space: mine.space)
          return (shared, PostsState(posts: try await shared.load()))
        }
        try waiting {
          for place in 0..<count {
            mine.raiseScore(of: posts[(place * 7) % posts.count].entityID)
          }
          try await mine.sharing.settled()
        }
        return [
          .catchingUp(count, from: state, until: { $0 == mine.store.state.posts }) { store in
            let sharing = try store.share(\.posts, through: shared)
            return { sharing.close() }
          },
          .clocked("apply", count) { count in
            var posts = start
            for number in 0..<count { try posts.apply(changes[number]) }
            blackHole(posts)
          },
        ]
      }
    }

    static let commitBesideUnsent = Case(
      "commit of one row beside 10,000 unsent batches", note: "while the server does not answer",
      bars: [.of("none unsent", 2)], isScaled: false
    ) { stage in
      let server = try BenchmarkServer.shared.get()
      let posts = posts(stage)
      let ids = posts.map(\.entityID)
      let mine = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let other = try waiting { try await SharedPosts(connecting: server.string, posts) }
      let lock = try BareConnection(server.string)
      try lock.run(
        "BEGIN; SELECT 1 FROM entia_space WHERE space = '\(mine.space)' FOR UPDATE")
      for place in 0..<(stage.isSmoke ? 100 : 10_000) {
        mine.raiseScore(of: ids[place % ids.count])
      }
      return [
        .passes(Names.entia, 64, of: ids.count) { places in
          for place in places { mine.raiseScore(of: ids[place]) }
          withExtendedLifetime(lock) {}
          return places.count
        },
        Contender("none unsent") { run in
          var window = Window(64, of: ids.count)
          while run.wantsMore {
            try waiting { try await other.sharing.settled() }
            let places = window.next(run)
            run.measure(places.count) {
              for place in places { other.raiseScore(of: ids[place]) }
              return places.count
            }
          }
        },
      ]
    }
  }

  extension SharedPosts {
    fileprivate func waitUntilEqual(_ posts: KeptPosts) async throws {
      await store.wait { $0 == posts }
    }
  }
#endif
