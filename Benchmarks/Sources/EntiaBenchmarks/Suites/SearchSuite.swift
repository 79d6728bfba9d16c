import BenchmarkReport
import EntiaDatabase

extension Suite {
  /// Search in titles of eight words, compared with SQLite's full-text index in memory.
  static let search = Suite(
    name: "search", summary: "text indexes", bytesPerRow: 1_200,
    cases: [
      .searchPrefix, .searchPair, .searchTyped, .searchUpdate, .searchOther, .searchBuild,
      .searchBytes,
    ])
}

extension Case {
  static let searchPrefix = Case(
    "a prefix of three letters", note: "the 20 best", bars: [.of(Names.sqlite, 0.5)]
  ) { stage in try searches(stage, stage.search.prefixes) }

  static let searchPair = Case(
    "two terms", note: "the 20 best", bars: [.of(Names.sqlite, 0.5)]
  ) { stage in try searches(stage, stage.search.pairs) }

  static let searchTyped = Case(
    "as typed, a letter", note: "a word and each beginning of another, the 20 best",
    bars: [.of(Names.sqlite, 0.3)]
  ) { stage in try searches(stage, stage.search.typed) }

  static let searchUpdate = Case(
    "update a title", note: "each in a commit", bars: [.of(Names.sqlite, 0.5)]
  ) { stage in
    let books = stage.search
    var library = try SearchLibrary(books.books)
    var titles = books.newTitles()
    let entia = Contender.passes(Names.entia, 1_000, of: 1_000) { places in
      for place in places {
        let id = SearchBook.EntityID(place * 7919 % books.books.count)
        let title = titles.next()
        try library.performBatchUpdates { context in
          context.modifying.books.updateIfExists(id: id) { $0.title = title }
        }
      }
      return places.count
    }
    #if canImport(CSQLite)
      return [entia] + (try .sqliteTitles(stage))
    #else
      return [entia]
    #endif
  }

  static let searchOther = Case(
    "change a row, not its text", note: "of the index alone"
  ) { stage in
    let books = stage.search.books
    var index = stage.searchIndex
    let entia = Contender.passes(Names.entia, 20_000, of: books.count) { places in
      for place in places { index.rowChanged(from: books[place], to: books[place]) }
      return places.count
    }
    return [entia, .yardstick(stage)]
  }

  static let searchBuild = Case(
    "build, a row", bars: [.of(Names.sqlite, 1)]
  ) { stage in
    let books = stage.search.books
    let table = Tables.Hash(books)
    let entia = Contender.build(Names.entia, rows: books.count, check: \.count) {
      SearchLibrary.index(of: table)
    }
    #if canImport(CSQLite)
      return [entia] + .sqliteSearchBuild(books)
    #else
      return [entia]
    #endif
  }

  static let searchBytes = Case(
    "bytes a row", note: "SQLite's table has the titles too", unit: .bytes,
    bars: [.of(Names.sqlite, 1.2)], isCounted: true
  ) { stage in
    let books = stage.search.books
    let table = Tables.Hash(books)
    let entia = Contender.bytes(Names.entia, of: books.count) { SearchLibrary.index(of: table) }
    #if canImport(CSQLite)
      return [entia] + .sqliteSearchBytes(books)
    #else
      return [entia]
    #endif
  }

  private static func searches(_ stage: Stage, _ queries: [String]) throws -> [Contender] {
    let index = stage.searchIndex
    let entia = Contender.passes(Names.entia, queries.count, of: queries.count) { places in
      var sum = 0
      for place in places { sum &+= index.search(queries[place], limit: 20).count }
      return sum
    }
    #if canImport(CSQLite)
      return [entia] + (try .sqliteSearch(stage, queries))
    #else
      return [entia]
    #endif
  }
}
