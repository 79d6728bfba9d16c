#if canImport(CSQLite)
  import EntiaDatabase

  /// Posts in a file, saved and loaded by statements that are written by hand.
  final class SQLitePostFile {
    private let database: SQLiteDatabase
    private var change: SQLiteStatement?
    private var all: SQLiteStatement?

    /// Creates an empty file.
    init(path: String) throws { database = try SQLiteDatabase(path: path) }

    /// Creates the table and saves its first posts in one transaction.
    func insert(_ posts: [Post]) throws {
      try database.transaction {
        try database.execute(
          "CREATE TABLE post(id INTEGER PRIMARY KEY, name, author, views, score)")
        let add = try database.prepare("INSERT INTO post VALUES(?, ?, ?, ?, ?)")
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

    /// Saves the scores of posts in one transaction.
    func saveScores(of posts: [Post]) throws {
      let change =
        try self.change ?? database.prepare("UPDATE post SET score = ? WHERE id = ?")
      self.change = change
      try database.transaction {
        for post in posts {
          change.bind(post.score, at: 1)
          change.bind(post.id, at: 2)
          try change.run()
        }
      }
    }

    func load() throws -> [Int: Post] {
      let all =
        try self.all ?? database.prepare("SELECT id, name, author, views, score FROM post")
      self.all = all
      var posts: [Int: Post] = [:]
      while try all.step() {
        posts[all.int(0)] = Post(
          id: all.int(0), name: all.string(1), authorID: Author.EntityID(all.int(2)),
          views: all.int(3), score: all.int(4))
      }
      return posts
    }
  }
#endif
