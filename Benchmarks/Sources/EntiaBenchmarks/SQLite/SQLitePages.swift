#if canImport(CSQLite)
  import EntiaDatabase

  /// The pages in SQLite, accessed by their string IDs.
  final class SQLitePages {
    private let find: SQLiteStatement

    init(_ pages: [Page]) throws {
      let database = try SQLiteDatabase()
      try database.execute(
        """
        CREATE TABLE page(id TEXT PRIMARY KEY, name TEXT NOT NULL, author INTEGER NOT NULL,
          views INTEGER NOT NULL, score INTEGER NOT NULL) WITHOUT ROWID
        """)
      let add = try database.prepare("INSERT INTO page VALUES(?, ?, ?, ?, ?)")
      try database.transaction {
        for page in pages {
          add.bind(page.entityID.raw, at: 1)
          add.bind(page.name, at: 2)
          add.bind(page.authorID.raw, at: 3)
          add.bind(page.views, at: 4)
          add.bind(page.score, at: 5)
          try add.run()
        }
      }
      find = try database.prepare("SELECT score FROM page WHERE id = ?")
    }

    func sumOfScores(_ keys: ArraySlice<String>) throws -> Int {
      var sum = 0
      for key in keys {
        find.bind(key, at: 1)
        sum &+= try find.step() ? find.int(0) : 1
        find.reset()
      }
      return sum
    }
  }
#endif
