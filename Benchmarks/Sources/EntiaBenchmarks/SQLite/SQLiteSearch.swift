#if canImport(CSQLite)
  /// The books in a full-text table of SQLite.
  final class SQLiteSearch {
    private let database: SQLiteDatabase
    private let select: SQLiteStatement
    private let change: SQLiteStatement

    init(_ books: [SearchBook]) throws {
      database = try SQLiteDatabase()
      try database.execute(
        """
        CREATE VIRTUAL TABLE book USING fts5(
          title, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
        """)
      let insert = try database.prepare("INSERT INTO book(rowid, title) VALUES (?, ?)")
      select = try database.prepare(
        "SELECT rowid FROM book WHERE book MATCH ? ORDER BY rank LIMIT 20")
      change = try database.prepare("UPDATE book SET title = ? WHERE rowid = ?")
      try database.transaction {
        for book in books {
          insert.bind(book.id, at: 1)
          insert.bind(book.title, at: 2)
          try insert.run()
        }
      }
    }

    /// Returns the number of books that contain words with these beginnings, at most 20.
    func count(_ query: String) throws -> Int {
      select.bind(query.split(separator: " ").map { "\($0)*" }.joined(separator: " "), at: 1)
      var count = 0
      while try select.step() { count += 1 }
      return count
    }

    /// Updates one row in a transaction.
    func setTitle(_ title: String, of id: Int) throws {
      change.bind(title, at: 1)
      change.bind(id, at: 2)
      try change.run()
    }
  }

  extension [Contender] {
    static func sqliteSearch(_ stage: Stage, _ queries: [String]) throws -> [Contender] {
      let search = try stage.sqliteSearch.get()
      return [
        .passes(Names.sqlite, queries.count, of: queries.count) { places in
          var sum = 0
          for place in places { sum &+= try search.count(queries[place]) }
          return sum
        }
      ]
    }

    static func sqliteTitles(_ stage: Stage) throws -> [Contender] {
      let books = stage.search
      let search = try SQLiteSearch(books.books)
      var titles = books.newTitles()
      return [
        .passes(Names.sqlite, 1_000, of: 1_000) { places in
          for place in places {
            try search.setTitle(titles.next(), of: place * 7919 % books.books.count)
          }
          return places.count
        }
      ]
    }

    static func sqliteSearchBuild(_ books: [SearchBook]) -> [Contender] {
      [
        .build(
          Names.sqlite, rows: books.count, check: { _ in books.count },
          { try SQLiteSearch(books) })
      ]
    }

    static func sqliteSearchBytes(_ books: [SearchBook]) -> [Contender] {
      [.bytes(Names.sqlite, of: books.count) { Result { try SQLiteSearch(books) } }]
    }
  }
#endif
