/// A row that a search found.
public struct TextMatch<Entity: EntityType>: Identifiable, Sendable {
  /// The ID of the row.
  public let id: Entity.EntityID
  /// The score of the row. A row with a higher score matches the query better.
  public let score: Double
  private let finding: TextFinding<Entity>

  init(_ id: Entity.EntityID, _ score: Double, _ finding: TextFinding<Entity>) {
    self.id = id
    self.score = score
    self.finding = finding
  }

  /// Returns the places of the matched words in a field of the row, in order. Each is a whole word.
  ///
  /// ```swift
  /// for match in library.bookText.search("disp") {
  ///   guard let book = library.books.find(by: match.id) else { continue }
  ///   highlight(book.title, match.ranges(of: \.title, in: book))
  /// }
  /// ```
  /// - Parameters:
  ///   - path: A field of the index.
  ///   - row: The row, as it is in the version that was searched.
  /// - Returns: The ranges in the text of the field; none if the field is not indexed.
  /// - Complexity: O(*k*) in the length of the text.
  public func ranges(
    of path: any PartialKeyPath<Entity> & Sendable, in row: Entity
  ) -> [Range<String.Index>] { finding.ranges(of: path, in: row) }
}

extension TextMatch: Equatable {
  /// Whether two matches are of the same row, with the same score.
  public static func == (a: Self, b: Self) -> Bool { a.id == b.id && a.score == b.score }
}

/// A query, looked up in one version of an index.
struct TextFinding<Entity: EntityType>: Sendable {
  let terms: TextTerms
  private let index: Indexes.Text<Entity>

  init(
    _ text: String, in index: Indexes.Text<Entity>, rankedBy statistics: TextStatistics? = nil
  ) {
    self.index = index
    terms = TextTerms(
      index.postings.format.query(text), in: index.postings, rankedBy: statistics)
  }

  /// Whether the query has no words.
  var isEmpty: Bool { terms.terms.isEmpty }

  /// Calls the closure with each row that the query finds and its score, in insertion order.
  func visitRows(_ body: (Int, Double) -> Void) {
    index.postings.search(terms, all: { index.rows.all }, body)
  }

  /// Returns the rows with the highest scores.
  func matches(limit: Int) -> [TextMatch<Entity>] {
    if limit <= 0 { return [] }
    var top = TopDocuments(limit: limit)
    visitRows { top.offer($0, $1) }
    return top.sorted().compactMap { entry in
      index.rows.id(of: entry.document).map { TextMatch($0, entry.score, self) }
    }
  }

  /// Returns the number of a row; `nil` if the index does not contain it.
  func number(of id: Entity.EntityID) -> Int? { index.rows.number(of: id) }

  func id(of number: Int) -> Entity.EntityID? { index.rows.id(of: number) }

  /// Returns the score of a row by its texts and the statistics of the terms; `nil` if the texts do
  /// not match.
  func score(of row: Entity) -> Double? {
    let format = index.postings.format
    return RowText(index.texts(of: row), format.tokenizer).score(terms, weights: format.weights)
  }

  func ranges(of path: PartialKeyPath<Entity>, in row: Entity) -> [Range<String.Index>] {
    guard let field = index.indexed.firstIndex(where: { $0.path == path }) else { return [] }
    // The other fields need not be read, because a phrase is always within one field.
    let texts = index.indexed.indices.map { $0 == field ? index.indexed[$0].read(row) : nil }
    return RowText(texts, index.postings.format.tokenizer).ranges(terms, in: field)
  }
}

extension Indexes.Text {
  /// Returns the rows that a query finds, the best match first.
  ///
  /// ```swift
  /// library.bookText.search("le guin disp", limit: 20).map(\.id)
  /// ```
  /// - Parameters:
  ///   - text: The query, as the user types it. An empty query finds nothing. A query that only
  ///     excludes words finds all other rows, with score 0.
  ///   - limit: The maximum number of rows.
  /// - Returns: The rows, by descending score, and rows with equal scores in insertion order.
  /// - Complexity: O(*k* log *limit*), where *k* is the number of occurrences of the rarest term of
  ///   the query, and O(log *n*) or less for each occurrence and each further term.
  public func search(_ text: String, limit: Int = .max) -> [TextMatch<Entity>] {
    TextFinding(text, in: self).matches(limit: limit)
  }
}

/// The documents that match a term, ascending, with the numbers from which scores are computed.
struct TextHits {
  var documents: [Int] = []
  var lengths: [Int] = []
  /// For each document, the sum of the weights of the places; -1 if there are none.
  var frequencies: [Double] = []

  mutating func append(_ document: Int, _ length: Int, _ frequency: Double) {
    documents.append(document)
    lengths.append(length)
    frequencies.append(frequency)
  }

  /// Removes the documents without places, whose frequency is -1.
  mutating func removeEmpty() {
    let kept = documents.indices.filter { frequencies[$0] >= 0 }
    documents = kept.map { documents[$0] }
    lengths = kept.map { lengths[$0] }
    frequencies = kept.map { frequencies[$0] }
  }
}

/// A set of documents. The rank of a document is the number of lower documents in the set.
struct DocumentRanks {
  private var bits: [UInt64]
  /// For each element of `bits`, the number of documents in the elements before it.
  private var counts: [Int] = []

  /// Creates an empty set.
  /// - Parameter end: The number after the greatest document.
  init(end: Int) { bits = [UInt64](repeating: 0, count: end / 64 + 1) }

  @inline(__always)
  mutating func insert(_ document: Int) { bits[document &>> 6] |= 1 &<< UInt64(document & 63) }

  /// Counts the documents. This must be called after the insertions and before `rank(of:)`.
  @discardableResult
  mutating func count() -> Int {
    var count = 0
    counts.reserveCapacity(bits.count)
    for element in bits {
      counts.append(count)
      count += element.nonzeroBitCount
    }
    return count
  }

  @inline(__always)
  func contains(_ document: Int) -> Bool {
    bits[document &>> 6] &>> UInt64(document & 63) & 1 == 1
  }

  @inline(__always)
  func rank(of document: Int) -> Int {
    let lower = bits[document &>> 6] & (1 &<< UInt64(document & 63) &- 1)
    return counts[document &>> 6] &+ lower.nonzeroBitCount
  }

  /// Calls the closure with each document, ascending.
  func visit(_ body: (Int) -> Void) {
    for (index, element) in bits.enumerated() {
      var rest = element
      while rest != 0 {
        body(index &<< 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }
}
