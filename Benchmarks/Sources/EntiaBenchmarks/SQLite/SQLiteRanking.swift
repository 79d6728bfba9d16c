#if canImport(CSQLite)
  import EntiaDatabase

  /// The posts in SQLite with an index by their views.
  final class SQLiteRanking {
    private let change: SQLiteStatement
    private let top: SQLiteStatement

    init(_ posts: [Post]) throws {
      let database = try SQLitePosts(posts: posts).database
      try database.execute("CREATE INDEX post_views ON post(views)")
      change = try database.prepare("UPDATE post SET views = ? - views WHERE id = ?")
      top = try database.prepare("SELECT views, score FROM post ORDER BY views DESC LIMIT 50")
      change.bind(BlogData.mostViews, at: 1)
    }

    /// Updates one row in a transaction.
    func mirrorViews(of key: Int) throws {
      change.bind(key, at: 2)
      try change.run()
    }

    /// Returns the sum of the greatest views. The index has no scores, so each row is looked up, as
    /// in an app.
    func sumOfTopViews() throws -> Int {
      var sum = 0
      var scores = 0
      while try top.step() {
        sum &+= top.int(0)
        scores &+= top.int(1)
      }
      blackHole(scores)
      return sum
    }
  }
#endif
