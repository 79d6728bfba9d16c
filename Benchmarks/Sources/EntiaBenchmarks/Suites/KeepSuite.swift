#if canImport(CSQLite)
  import BenchmarkReport
  import EntiaDatabase
  import EntiaSQLite
  import EntiaStore

  extension Suite {
    /// A database in a file, compared with prepared statements that are written by hand. Files are
    /// as durable on both sides.
    static let keep = Suite(
      name: "keep", summary: "a database in a SQLite file", bytesPerRow: 1_200,
      check: checkKeep,
      cases: [
        .saveOne, .saveMany, .saveAll, .load, .loadMemory, .savedBytes, .commitBesideKeeper,
      ])

    /// Checks that a file has the rows that were saved, in their order.
    private static func checkKeep(_ stage: Stage) throws {
      let kept = try KeptFile(stage)
      try kept.save(raising: stage.postIDs.prefix(3))
      guard try kept.file.load().posts.elementsEqual(kept.saved.posts) else {
        throw Disagreement("correctness: what is loaded is not what was saved")
      }
    }
  }

  extension Case {
    static let saveOne = Case("save of one changed row", bars: [.of(Names.sqlite, 1.5)]) { stage in
      try saves(stage, of: 1)
    }

    static let saveMany = Case(
      "save of 10,000 changed rows, a row", note: "all rows where there are fewer",
      bars: [.of(Names.sqlite, 1.5)]
    ) { stage in
      try saves(stage, of: min(10_000, stage.size))
    }

    /// Returns contestants that save versions with changed rows. The changes are not measured.
    private static func saves(_ stage: Stage, of count: Int) throws -> [Contender] {
      let ids = stage.postIDs
      let kept = try KeptFile(stage)
      let path = try TemporaryFile()
      let file = try SQLitePostFile(path: path.path)
      try file.insert(stage.posts)
      var other = KeptPosts(stage.posts)
      var windows = [Window(count, of: ids.count), Window(count, of: ids.count)]
      return [
        Contender(Names.entia) { run in
          while run.wantsMore {
            let changed = ids[windows[0].next(run)]
            kept.change(raising: changed)
            try run.measure(changed.count) {
              try kept.save()
              return changed.count
            }
          }
        },
        Contender(Names.sqlite) { run in
          while run.wantsMore {
            let posts = other.raiseScores(of: ids[windows[1].next(run)])
            try run.measure(posts.count) {
              try file.saveScores(of: posts)
              return posts.count
            }
          }
          withExtendedLifetime(path) {}
        },
      ]
    }

    static let saveAll = Case(
      "first save of all rows, a row", note: "creating the tables is a part of it",
      bars: [.of(Names.sqlite, 1.5)]
    ) { stage in
      let posts = stage.posts
      let version = KeptPosts(posts)
      return [
        Contender(Names.entia) { run in
          while run.wantsMore {
            let path = try TemporaryFile()
            let file = try DatabaseFile<KeptPosts>(path: path.path)
            try run.measure(posts.count) {
              try file.save(version)
              return posts.count
            }
            try file.close()
          }
        },
        Contender(Names.sqlite) { run in
          while run.wantsMore {
            let path = try TemporaryFile()
            let file = try SQLitePostFile(path: path.path)
            try run.measure(posts.count) {
              try file.insert(posts)
              return posts.count
            }
            withExtendedLifetime(path) {}
          }
        },
      ]
    }

    static let load = Case("load, a row", bars: [.of(Names.sqlite, 2)]) { stage in
      let count = stage.size
      let kept = try KeptFile(stage)
      let path = try TemporaryFile()
      let file = try SQLitePostFile(path: path.path)
      try file.insert(stage.posts)
      return [
        Contender(Names.entia) { run in
          while run.wantsMore { try run.measure(count) { try kept.file.load().posts.count } }
        },
        Contender(Names.sqlite) { run in
          while run.wantsMore { try run.measure(count) { try file.load().count } }
          withExtendedLifetime(path) {}
        },
      ]
    }

    static let loadMemory = Case(
      "bytes a row while loading", note: "beyond those of the loaded database", unit: .bytes,
      bars: [.of("loaded", 1.1)], isCounted: true
    ) { stage in
      let count = Double(stage.size)
      func weigh() throws -> (kept: Double, peak: Double) {
        let kept = try KeptFile(stage)
        try kept.file.close()
        let file = try DatabaseFile<KeptPosts>(path: kept.path.path)
        // The file itself refers to what it has loaded.
        return try Heap.weigh { try file.load() }
      }
      return [
        Contender(Names.entia, isComparable: false) { run in
          let heap = try weigh()
          run.record((heap.peak - heap.kept) / count)
        },
        Contender("loaded", isComparable: false) { run in run.record(try weigh().kept / count) },
      ]
    }

    static let savedBytes = Case(
      "bytes written by a save of one row", note: "into the log: pages and their headers",
      unit: .bytes, bars: [.absolute(3 * (4_096 + 24) + 32), .of("1,000 rows", 1.1)],
      isCounted: true
    ) { stage in
      func bytes(_ posts: [Post], changing id: Post.EntityID) throws -> Double {
        let kept = try KeptFile(posts)
        // Empties the log.
        try kept.file.compact()
        try kept.save(raising: [id])
        return Double(try kept.path.logBytes())
      }
      return [
        Contender(Names.entia, isComparable: false) { run in
          run.record(try bytes(stage.posts, changing: stage.postIDs[0]))
        },
        Contender("1,000 rows", isComparable: false) { run in
          run.record(try bytes(BlogData.posts(1_000), changing: 500))
        },
      ]
    }

    static let commitBesideKeeper = Case(
      "commit of one row beside a keeper", note: "which saves on a thread of its own",
      bars: [.of("no keeper", 1.2)]
    ) { stage in
      let state = KeptState(posts: KeptPosts(stage.posts))
      let path = try TemporaryFile()
      let kept = Store<KeptState, Never>(initialState: state)
      let keeper = try kept.keep(\.posts, in: DatabaseFile(path: path.path))
      try keeper.flush()
      let plain = Store<KeptState, Never>(initialState: state)
      let ids = stage.postIDs
      return [
        .passes(Names.entia, 64, of: ids.count) { places in
          for place in places { kept.commit { $0.posts.raiseScore(of: ids[place]) } }
          withExtendedLifetime((keeper, path)) {}
          return places.count
        },
        .passes("no keeper", 64, of: ids.count) { places in
          for place in places { plain.commit { $0.posts.raiseScore(of: ids[place]) } }
          return places.count
        },
      ]
    }
  }

  private struct KeptState: StateType {
    var posts: KeptPosts
  }

  /// A file with the posts of a stage, and the version to save next.
  private final class KeptFile {
    let path: TemporaryFile
    let file: DatabaseFile<KeptPosts>
    private(set) var saved: KeptPosts

    convenience init(_ stage: Stage) throws { try self.init(stage.posts) }

    init(_ posts: [Post]) throws {
      path = try TemporaryFile()
      file = try DatabaseFile(path: path.path)
      saved = KeptPosts(posts)
      try file.save(saved)
    }

    func change(raising ids: ArraySlice<Post.EntityID>) { _ = saved.raiseScores(of: ids) }

    func save() throws { try file.save(saved) }

    func save(raising ids: ArraySlice<Post.EntityID>) throws {
      change(raising: ids)
      try save()
    }
  }
#endif
