#if canImport(CSQLite)
  import EntiaCollections
  import EntiaDatabase

  /// Posts by their views in SQLite, with an index that covers the queries.
  final class SQLiteViews {
    private let page: SQLiteStatement
    private let change: SQLiteStatement

    init(_ entries: [ViewsEntry]) throws {
      let database = try SQLiteDatabase()
      try database.execute("CREATE TABLE post(id INTEGER PRIMARY KEY, views INTEGER NOT NULL)")
      let add = try database.prepare("INSERT INTO post VALUES(?, ?)")
      try database.transaction {
        for entry in entries {
          add.bind(entry.id.raw, at: 1)
          add.bind(entry.key, at: 2)
          try add.run()
        }
      }
      try database.execute("CREATE INDEX post_views ON post(views)")
      page = try database.prepare(
        "SELECT id FROM post WHERE views >= ? ORDER BY views, id LIMIT ?")
      change = try database.prepare("UPDATE post SET views = ? WHERE id = ?")
    }

    func sumOfPage(from key: Int, count: Int) throws -> Int {
      page.bind(key, at: 1)
      page.bind(count, at: 2)
      var sum = 0
      while try page.step() { sum &+= page.int(0) }
      return sum
    }

    /// Changes one entry in a transaction.
    func move(_ entry: ViewsEntry) throws {
      change.bind(entry.key, at: 1)
      change.bind(entry.id.raw, at: 2)
      try change.run()
    }
  }
#endif
