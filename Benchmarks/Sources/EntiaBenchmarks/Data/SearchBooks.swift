import EntiaDatabase

/// A book whose title is searched.
struct SearchBook: EntityType, Identifiable {
  let id: Int
  var title: String
}

/// Books with titles of eight words by Zipf's law, and the queries that are searched for.
struct SearchBooks {
  let books: [SearchBook]
  /// Words, the most frequent first.
  private let words: [String]
  private let titles: [String]

  init(count: Int) {
    var generator = SplitMix64(seed: 7)
    let syllables = [
      "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su",
      "ta", "ve", "wi", "xo", "zu", "dis", "pos", "ses", "gran", "ther", "ing", "er", "al", "on",
    ]
    let words = (0..<30_000).map { _ in
      (0..<Int.random(in: 2..<5, using: &generator))
        .map { _ in syllables[Int.random(in: 0..<syllables.count, using: &generator)] }.joined()
    }
    let frequencies = Zipf(count: words.count)
    func title(_ generator: inout SplitMix64) -> String {
      (0..<8).map { _ in words[frequencies.draw(using: &generator)] }.joined(separator: " ")
    }
    self.words = words
    books = (0..<count).map { SearchBook(id: $0, title: title(&generator)) }
    titles = (0..<1_009).map { _ in title(&generator) }
  }

  /// Returns titles for updates. A row that is updated again after each 1,000 rows gets another one.
  func newTitles() -> NewTitles { NewTitles(titles: titles) }

  /// Titles, again and again.
  struct NewTitles {
    let titles: [String]
    private var place = 0

    init(titles: [String]) { self.titles = titles }

    mutating func next() -> String {
      place = (place + 1) % titles.count
      return titles[place]
    }
  }

  /// The first letters of words of several frequencies.
  var prefixes: [String] { [3, 30, 300, 3_000].map { String(words[$0].prefix(3)) } }

  /// A frequent word and a rarer one.
  var pairs: [String] {
    [(3, 300), (10, 1_000), (100, 30), (3_000, 5)].map { "\(words[$0.0]) \(words[$0.1])" }
  }

  /// Queries as they grow by a letter.
  var typed: [String] {
    [30, 300, 3_000].flatMap { place in
      (1...words[place].count).map { "\(words[5]) \(words[place].prefix($0))" }
    }
  }
}

/// The books in a database with a text index.
struct SearchLibrary: NormalizedStorageType {
  struct Contents: StorageContents {
    var books = Tables.Hash<SearchBook>()
    var text: Indexes.Text<SearchBook> = .init(\.title)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("books", \.books)
      visitor.index("text", \.text)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var text: Indexes.Text<SearchBook> { snapshot.contents.text }

  init() {}

  init(_ books: [SearchBook]) throws {
    try performBatchUpdates { $0.modifying.books.insert(books) }
  }

  static func index(of table: Tables.Hash<SearchBook>) -> Indexes.Text<SearchBook> {
    var index = Indexes.Text<SearchBook>(\.title)
    index.rebuild { visit in for book in table { visit(book) } }
    return index
  }
}
