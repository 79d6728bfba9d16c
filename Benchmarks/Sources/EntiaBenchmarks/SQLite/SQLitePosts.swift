#if canImport(CSQLite)
  import EntiaDatabase

  /// The posts in SQLite, with prepared statements.
  ///
  /// A lookup reads only the required column, the least work for SQLite.
  final class SQLitePosts {
    let database: SQLiteDatabase
    private let find: SQLiteStatement
    private let add: SQLiteStatement
    private let change: SQLiteStatement
    private let delete: SQLiteStatement
    private let all: SQLiteStatement

    /// Creates an empty table of posts.
    init() throws {
      database = try SQLiteDatabase()
      try database.execute(
        """
        CREATE TABLE post(id INTEGER PRIMARY KEY, name TEXT NOT NULL, author INTEGER NOT NULL,
          views INTEGER NOT NULL, score INTEGER NOT NULL)
        """)
      find = try database.prepare("SELECT score FROM post WHERE id = ?")
      add = try database.prepare("INSERT INTO post VALUES(?, ?, ?, ?, ?)")
      change = try database.prepare("UPDATE post SET score = score + 1 WHERE id = ?")
      delete = try database.prepare("DELETE FROM post WHERE id = ?")
      all = try database.prepare("SELECT score FROM post")
    }

    convenience init(posts: [Post]) throws {
      try self.init()
      try insert(posts)
    }

    func insert(_ posts: [Post]) throws {
      try database.transaction {
        for post in posts {
          add.bind(post.id, at: 1)
          add.bind(post.name, at: 2)
          add.bind(post.authorID.raw, at: 3)
          add.bind(post.views, at: 4)
          add.bind(post.score, at: 5)
          try add.run()
        }
      }
    }

    func sumOfScores(_ keys: ArraySlice<Int>) throws -> Int {
      var sum = 0
      for key in keys {
        find.bind(key, at: 1)
        sum &+= try find.step() ? find.int(0) : 1
        find.reset()
      }
      return sum
    }

    func sumOfAllScores() throws -> Int {
      var sum = 0
      while try all.step() { sum &+= all.int(0) }
      return sum
    }

    func update(_ key: Int) throws {
      change.bind(key, at: 1)
      try change.run()
    }

    func remove(_ keys: ArraySlice<Int>) throws {
      try database.transaction {
        for key in keys {
          delete.bind(key, at: 1)
          try delete.run()
        }
      }
    }
  }
#endif
