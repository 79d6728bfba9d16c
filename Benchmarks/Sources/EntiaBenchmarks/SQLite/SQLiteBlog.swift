#if canImport(CSQLite)
  import EntiaDatabase

  /// Posts, authors and comments in SQLite, related by their keys.
  final class SQLiteBlog {
    private let posts: SQLitePosts
    private let author: SQLiteStatement
    private let comments: SQLiteStatement
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement

    init(_ data: BlogData) throws {
      posts = try SQLitePosts(posts: data.posts)
      let database = posts.database
      try database.execute(
        """
        CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL);
        CREATE TABLE comment(id INTEGER PRIMARY KEY, name TEXT NOT NULL, post INTEGER NOT NULL,
          author INTEGER NOT NULL, score INTEGER NOT NULL);
        """)
      try Self.fill(database, data)
      try database.execute("CREATE INDEX comment_post ON comment(post)")
      author = try database.prepare(
        """
        SELECT post.score, author.score FROM post JOIN author ON author.id = post.author
        WHERE post.id = ?
        """)
      comments = try database.prepare(
        """
        SELECT comment.score, author.score FROM comment JOIN author ON author.id = comment.author
        WHERE comment.post = ?
        """)
      begin = try database.prepare("BEGIN")
      commit = try database.prepare("COMMIT")
    }

    private static func fill(_ database: SQLiteDatabase, _ data: BlogData) throws {
      let addAuthor = try database.prepare("INSERT INTO author VALUES(?, ?, ?)")
      let addComment = try database.prepare("INSERT INTO comment VALUES(?, ?, ?, ?, ?)")
      try database.transaction {
        for author in data.authors {
          addAuthor.bind(author.id, at: 1)
          addAuthor.bind(author.name, at: 2)
          addAuthor.bind(author.score, at: 3)
          try addAuthor.run()
        }
        for comment in data.comments {
          addComment.bind(comment.id, at: 1)
          addComment.bind(comment.name, at: 2)
          addComment.bind(comment.postID.raw, at: 3)
          addComment.bind(comment.authorID.raw, at: 4)
          addComment.bind(comment.score, at: 5)
          try addComment.run()
        }
      }
    }

    func sumOfAuthors(_ keys: ArraySlice<Int>) throws -> Int {
      var sum = 0
      for key in keys {
        author.bind(key, at: 1)
        if try author.step() { sum &+= author.int(1) }
        author.reset()
      }
      return sum
    }

    func denormalize(_ keys: ArraySlice<Int>) throws -> Int {
      var sum = 0
      for key in keys {
        author.bind(key, at: 1)
        if try author.step() { sum &+= author.int(0) &+ author.int(1) }
        author.reset()
        comments.bind(key, at: 1)
        while try comments.step() { sum &+= comments.int(0) &+ comments.int(1) }
      }
      return sum
    }

    /// Commits a transaction of one row.
    func commit(_ key: Int) throws {
      try begin.run()
      try posts.update(key)
      try commit.run()
    }
  }
#endif
