import Foundation

/// The numbers by which a version of an index ranks the rows that a query finds.
struct TextStatistics: Hashable, Sendable {
  /// The average number of words of a row.
  fileprivate let averageLength: Double
  /// The weight of each term of the query.
  fileprivate let rarities: [Double]
}

/// The terms of a query, looked up in one version of an index.
struct TextTerms: Sendable {
  struct Term: Sendable {
    let words: [Word]
    let isExcluded: Bool
    /// The field that must contain the words; `nil` for any.
    let field: Int?
    /// An upper bound of the number of rows that contain the words: the lowest number of postings
    /// of any of the words. A prefix has the postings of all words that begin with it.
    let rowCount: Int
    /// The weight of a term in the rank: greater for a rarer term.
    fileprivate(set) var rarity: Double
  }

  struct Word: Sendable {
    let text: String
    let isPrefix: Bool
    /// The number of typos that are allowed.
    let typoCount: Int
    /// The chunks of the matching words.
    let ranks: [Range<Int>]
    let postingCount: Int

    /// Whether the word matches a word of a row.
    func matches(_ other: String) -> Bool {
      if typoCount > 0 { return TypoPattern(text, allowing: typoCount).matches(other) }
      let (own, other) = (text.utf8, other.utf8)
      return isPrefix ? other.starts(with: own) : other.elementsEqual(own)
    }
  }

  let terms: [Term]
  /// The terms that a row must contain.
  let included: [Term]
  private let averageLength: Double

  /// Looks up a query.
  /// - Parameters:
  ///   - query: The query.
  ///   - postings: The words of the index.
  ///   - known: The statistics by which rows are ranked; `nil` for those of this version.
  /// - Complexity: O(*k* + log *n*) in the number of words that begin with the terms.
  init(_ query: TextQuery, in postings: TextPostings, rankedBy known: TextStatistics? = nil) {
    var terms = query.terms.map { term in
      // Typos are not tolerated in an excluded term, because it would then exclude more rows.
      let toleratesTypos = postings.format.toleratesTypos && !term.isExcluded
      let words = term.words.map {
        Self.lookUp($0, in: postings, toleratesTypos: toleratesTypos)
      }
      let rowCount = min(postings.rowCount, words.map(\.postingCount).min() ?? 0)
      return Term(
        words: words, isExcluded: term.isExcluded, field: term.field, rowCount: rowCount,
        rarity: TextRank.rarity(of: rowCount, among: postings.rowCount))
    }
    // `known` is used only if it has as many terms as the query. Otherwise, another tokenizer may
    // have divided the query for `known`.
    if let known, known.rarities.count == terms.count {
      averageLength = known.averageLength
      for index in terms.indices { terms[index].rarity = known.rarities[index] }
    } else {
      averageLength =
        Double(max(1, postings.totalLength)) / Double(max(1, postings.rowCount))
    }
    self.terms = terms
    included = terms.filter { !$0.isExcluded }
  }

  private static func lookUp(
    _ word: TextQuery.Word, in postings: TextPostings, toleratesTypos: Bool
  ) -> Word {
    let term = PostingTerm(word.text)
    let tree = postings.words
    let range = word.isPrefix ? tree.ranks(withPrefix: term) : tree.ranks(of: term)
    var ranks = range.isEmpty ? [] : [range]
    var typoCount = 0
    if range.isEmpty, word.isPrefix, toleratesTypos {
      let pattern = TypoPattern(word.text)
      ranks = pattern.ranks(in: tree)
      typoCount = pattern.typoCount
    }
    return Word(
      text: word.text, isPrefix: word.isPrefix, typoCount: typoCount, ranks: ranks,
      postingCount: ranks.reduce(0) { $0 + tree.postingCount(in: $1) })
  }

  /// The statistics by which the terms rank rows.
  var statistics: TextStatistics {
    TextStatistics(averageLength: averageLength, rarities: terms.map(\.rarity))
  }

  /// Returns the score of a row.
  /// - Parameters:
  ///   - length: The number of words of the row.
  ///   - frequency: Returns the frequency of a term in the row. The term is given by its index in
  ///     `included`. Each place of the term counts with the weight of its field.
  @inline(__always)
  func score(_ length: Int, _ frequency: (Int) -> Double) -> Double {
    var score = 0.0
    for index in included.indices {
      score += TextRank.score(
        frequency(index), rarity: included[index].rarity, Double(length) / averageLength)
    }
    return score
  }
}

/// The rank of a row, by BM25.
enum TextRank {
  /// Returns the weight of a term that `count` of `all` rows contain.
  static func rarity(of count: Int, among all: Int) -> Double {
    log(1 + (Double(all - count) + 0.5) / (Double(count) + 0.5))
  }

  /// Returns the score of a term.
  /// - Parameters:
  ///   - frequency: The weighted number of places of the term in the row.
  ///   - rarity: The weight of the term.
  ///   - length: The length of the row, relative to the average.
  @inline(__always)
  static func score(_ frequency: Double, rarity: Double, _ length: Double) -> Double {
    rarity * frequency * (saturation + 1)
      / (frequency + saturation * (1 - lengthShare + lengthShare * length))
  }

  /// The higher this number, the more each additional place of a term adds to the score.
  private static let saturation = 1.2
  /// The influence of a row's length on its score, from 0 to 1.
  private static let lengthShare = 0.75
}
