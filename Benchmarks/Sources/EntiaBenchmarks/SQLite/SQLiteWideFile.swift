#if canImport(CSQLite)
  import EntiaDatabase
  import Foundation

  /// Posts with ten members in a file, saved and loaded by statements that are written by hand.
  final class SQLiteWideFile {
    private let database: SQLiteDatabase
    private let all: SQLiteStatement
    private let decoder = JSONDecoder()

    /// Creates a file with posts.
    init(path: String, _ posts: [WidePost]) throws {
      database = try SQLiteDatabase(path: path)
      try database.execute(
        """
        CREATE TABLE post(
          id INTEGER PRIMARY KEY, name, author, views, score, kind, rating, date, summary, place)
        """)
      all = try database.prepare(
        """
        SELECT id, name, author, views, score, kind, rating, date, summary, place FROM post
        """)
      let encoder = JSONEncoder()
      try database.transaction {
        let add = try database.prepare("INSERT INTO post VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for post in posts {
          add.bind(post.id, at: 1)
          add.bind(post.name, at: 2)
          add.bind(post.authorID.raw, at: 3)
          add.bind(post.views, at: 4)
          add.bind(post.score, at: 5)
          add.bind(post.kind.rawValue, at: 6)
          add.bind(post.rating, at: 7)
          add.bind(post.date.timeIntervalSinceReferenceDate, at: 8)
          if let summary = post.summary { add.bind(summary, at: 9) } else { add.bindNull(at: 9) }
          add.bind(String(decoding: try encoder.encode(post.place), as: UTF8.self), at: 10)
          try add.run()
        }
      }
    }

    func load() throws -> [Int: WidePost] {
      var posts: [Int: WidePost] = [:]
      while try all.step() {
        guard let kind = WidePost.Kind(rawValue: all.string(5)) else {
          throw Disagreement("a post of another kind")
        }
        posts[all.int(0)] = WidePost(
          id: all.int(0), name: all.string(1), authorID: Author.EntityID(all.int(2)),
          views: all.int(3), score: all.int(4), kind: kind, rating: all.double(6),
          date: Date(timeIntervalSinceReferenceDate: all.double(7)),
          summary: all.isNull(8) ? nil : all.string(8),
          place: try decoder.decode(WidePost.Place.self, from: Data(all.string(9).utf8)))
      }
      return posts
    }
  }
#endif
