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
        .saveOne, .saveMany, .saveManyRows, .saveAll, .saveAllRows, .load, .loadRows,
        .loadWideRows, .loadMemory, .savedBytes, .commitBesideKeeper, .pushToFile, .applyFromFile,
      ])

    /// Checks that a file has the rows that were saved, in their order.
    private static func checkKeep(_ stage: Stage) throws {
      try checkKeep(stage, KeptPosts.self)
      try checkKeep(stage, KeptCodablePosts.self)
      try checkKeep(stage, KeptWidePosts.self)
    }

    private static func checkKeep<Table: KeptTable>(_ stage: Stage, _ table: Table.Type) throws {
      let kept = try KeptFile<Table>(stage)
      try kept.save(raising: stage.ids(of: table).prefix(3))
      guard try kept.file.load().posts.elementsEqual(kept.saved.posts) else {
        throw Disagreement("correctness: what is loaded is not what was saved")
      }
    }
  }

  extension Case {
    static let saveOne = Case("save of one changed row", bars: [.of(Names.sqlite, 1.5)]) { stage in
      try saves(stage, of: 1, KeptCodablePosts.self)
    }

    static let saveMany = Case(
      "save of 10,000 changed rows, a row", note: "all rows where there are fewer",
      bars: [.of(Names.sqlite, 1.5)]
    ) { stage in
      try saves(stage, of: min(10_000, stage.size), KeptCodablePosts.self)
    }

    static let saveManyRows = Case(
      "save of 10,000 changed rows by generated code, a row",
      note: "all rows where there are fewer", bars: [.of(Names.sqlite, (1.4, 1.4, 1.15))]
    ) { stage in
      try saves(stage, of: min(10_000, stage.size), KeptPosts.self)
    }

    /// Returns contestants that save versions with changed rows. The changes are not measured.
    private static func saves<Table: KeptTable>(
      _ stage: Stage, of count: Int, _ table: Table.Type
    ) throws -> [Contender] {
      let ids = stage.postIDs
      let rowIDs = stage.ids(of: table)
      let kept = try KeptFile<Table>(stage)
      let path = try TemporaryFile()
      let file = try SQLitePostFile(path: path.path)
      try file.insert(stage.posts)
      var other = KeptPosts(stage.posts)
      var windows = [Window(count, of: ids.count), Window(count, of: ids.count)]
      return [
        Contender(Names.entia) { run in
          while run.wantsMore {
            let changed = rowIDs[windows[0].next(run)]
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
    ) { stage in try savesAll(stage, KeptCodablePosts.self) }

    static let saveAllRows = Case(
      "first save of all rows by generated code, a row",
      note: "creating the tables is a part of it", bars: [.of(Names.sqlite, 1.2)]
    ) { stage in try savesAll(stage, KeptPosts.self) }

    private static func savesAll<Table: KeptTable>(
      _ stage: Stage, _ table: Table.Type
    ) throws -> [Contender] {
      let posts = stage.posts
      let version = Table(posts)
      return [
        Contender(Names.entia) { run in
          while run.wantsMore {
            let path = try TemporaryFile()
            let file = try DatabaseFile<Table>(path: path.path)
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
      try loads(stage, KeptCodablePosts.self)
    }

    static let loadRows = Case(
      "load by generated code, a row", bars: [.of(Names.sqlite, (1.3, 1.15, 0.9))]
    ) { stage in
      try loads(stage, KeptPosts.self)
    }

    private static func loads<Table: KeptTable>(
      _ stage: Stage, _ table: Table.Type
    ) throws -> [Contender] {
      let count = stage.size
      let kept = try KeptFile<Table>(stage)
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

    static let loadWideRows = Case(
      "load of rows with ten members by generated code, a row", note: "one of them is nested",
      bars: [.of(Names.sqlite, 1.5)]
    ) { stage in
      let count = stage.size
      let kept = try KeptFile<KeptWidePosts>(stage)
      let path = try TemporaryFile()
      let file = try SQLiteWideFile(path: path.path, stage.posts.map(WidePost.init))
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
        let kept = try KeptFile<KeptPosts>(stage)
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
        let kept = try KeptFile<KeptPosts>(posts)
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
      let state = PostsState(posts: KeptPosts(stage.posts))
      let path = try TemporaryFile()
      let kept = Store<PostsState, Never>(initialState: state)
      let keeper = try kept.keep(\.posts, in: DatabaseFile(path: path.path))
      try keeper.flush()
      let plain = Store<PostsState, Never>(initialState: state)
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

  extension Stage {
    /// Returns the IDs of the posts, in the order of `keys`.
    fileprivate func ids<Table: KeptTable>(of table: Table.Type) -> [Table.Row.EntityID] {
      keys.map { Table.Row.EntityID($0) }
    }
  }

  /// A file with the posts of a stage, and the version to save next.
  final class KeptFile<Table: KeptTable> {
    let path: TemporaryFile
    let file: DatabaseFile<Table>
    private(set) var saved: Table

    convenience init(_ stage: Stage) throws { try self.init(stage.posts) }

    init(_ posts: [Post]) throws {
      path = try TemporaryFile()
      file = try DatabaseFile(path: path.path)
      saved = Table(posts)
      try file.save(saved)
    }

    func change(raising ids: ArraySlice<Table.Row.EntityID>) { _ = saved.raiseScores(of: ids) }

    func save() throws { try file.save(saved) }

    func save(raising ids: ArraySlice<Table.Row.EntityID>) throws {
      change(raising: ids)
      try save()
    }
  }
#endif
