import EntiaCollections
import EntiaDatabase

// SQLite's implementations of the cases. There are none if the system has no SQLite.
#if canImport(CSQLite)
  extension [Contender] {
    static func sqliteFind(_ stage: Stage, _ keys: [Int]) throws -> [Contender] {
      let posts = try stage.sqlitePosts.get()
      return [.passes(Names.sqlite, 20_000, of: keys.count) { try posts.sumOfScores(keys[$0]) }]
    }

    static func sqliteFindString(_ stage: Stage) throws -> [Contender] {
      let pages = try SQLitePages(stage.pages)
      let keys = stage.stringKeys
      return [.passes(Names.sqlite, 20_000, of: keys.count) { try pages.sumOfScores(keys[$0]) }]
    }

    static func sqliteIterate(_ stage: Stage) throws -> [Contender] {
      let posts = try stage.sqlitePosts.get()
      return [.sum(Names.sqlite, posts, stage.size) { try $0.sumOfAllScores() }]
    }

    static func sqliteInsert(_ posts: [Post]) -> [Contender] {
      [
        .build(
          Names.sqlite, rows: posts.count, check: { _ in posts.count },
          { try SQLitePosts(posts: posts) })
      ]
    }

    /// Returns SQLite's updates. All updates of a pass are one transaction.
    static func sqliteUpdate(_ stage: Stage) throws -> [Contender] {
      let posts = try SQLitePosts(posts: stage.posts)
      let keys = stage.keys
      return [
        .passes(Names.sqlite, 20_000, of: keys.count) { places in
          try posts.database.transaction { for key in keys[places] { try posts.update(key) } }
          return places.count
        }
      ]
    }

    static func sqliteRemove(_ posts: [Post], _ keys: ArraySlice<Int>) -> [Contender] {
      [
        .change(
          Names.sqlite, keys.count, { try SQLitePosts(posts: posts) },
          {
            try $0.remove(keys)
            return posts.count - keys.count
          })
      ]
    }

    static func sqliteFollow(_ stage: Stage) throws -> [Contender] {
      let blog = try stage.sqliteBlog.get()
      let keys = stage.keys
      return [.passes(Names.sqlite, 20_000, of: keys.count) { try blog.sumOfAuthors(keys[$0]) }]
    }

    static func sqliteDenormalize(_ stage: Stage) throws -> [Contender] {
      let blog = try stage.sqliteBlog.get()
      let keys = stage.keys
      return [.passes(Names.sqlite, 20_000, of: keys.count) { try blog.denormalize(keys[$0]) }]
    }

    static func sqliteCommit(_ stage: Stage) throws -> [Contender] {
      let blog = try stage.sqliteBlog.get()
      let keys = stage.keys
      return [
        .passes(Names.sqlite, 64, of: keys.count) { places in
          for key in keys[places] { try blog.commit(key) }
          return places.count
        }
      ]
    }

    static func sqliteFirstPages(_ stage: Stage) throws -> [Contender] {
      let views = try SQLiteViews(stage.viewsEntries)
      var entries = stage.shuffledEntries
      return [
        .passes(Names.sqlite, 64, of: entries.count) { places in
          var sum = 0
          for place in places {
            entries[place].flip()
            try views.move(entries[place])
            sum &+= try views.sumOfPage(from: 0, count: 50)
          }
          return sum
        }
      ]
    }

    static func sqliteTop(_ stage: Stage) throws -> [Contender] {
      let ranking = try SQLiteRanking(stage.posts)
      let keys = stage.keys
      return [
        .passes(Names.sqlite, 64, of: keys.count, checked: stage.topChecks) { places in
          var sum = 0
          for place in places {
            try ranking.mirrorViews(of: keys[place])
            sum &+= try ranking.sumOfTopViews()
          }
          return sum
        }
      ]
    }

    static func sqlitePages(_ stage: Stage, of count: Int) throws -> [Contender] {
      let views = try SQLiteViews(stage.viewsEntries)
      let entries = stage.shuffledEntries
      return [
        .passes(Names.sqlite, 2_000, of: entries.count) { places in
          var sum = 0
          for place in places {
            sum &+= try views.sumOfPage(from: entries[place].key, count: count)
          }
          return sum
        }
      ]
    }
  }
#else
  extension [Contender] {
    static func sqliteFind(_ stage: Stage, _ keys: [Int]) throws -> [Contender] { [] }
    static func sqliteFindString(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteIterate(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteInsert(_ posts: [Post]) -> [Contender] { [] }
    static func sqliteUpdate(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteRemove(_ posts: [Post], _ keys: ArraySlice<Int>) -> [Contender] { [] }
    static func sqliteFollow(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteDenormalize(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteCommit(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteFirstPages(_ stage: Stage) throws -> [Contender] { [] }
    static func sqliteTop(_ stage: Stage) throws -> [Contender] { [] }
    static func sqlitePages(_ stage: Stage, of count: Int) throws -> [Contender] { [] }
  }
#endif
