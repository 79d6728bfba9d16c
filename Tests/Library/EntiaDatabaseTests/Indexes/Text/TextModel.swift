import Foundation

@testable import EntiaDatabase

/// What a search must find, said as simply as can be: without postings, trees and heaps.
struct TextModel {
  private let rows: [(id: Int, words: [[String]])]
  private let fields: [String]
  private let weights: [Double]
  private let toleratesTypos: Bool

  /// The model of an index of titles and summaries.
  /// - Parameter notes: The rows, in insertion order.
  init(_ notes: some Sequence<Memo>) {
    self.init(notes.map { ($0.id, [$0.title, $0.summary ?? ""]) }, ["title", "summary"], [2, 1])
  }

  /// The model of an index of titles that tolerates typos.
  init(titlesOf notes: some Sequence<Memo>) {
    self.init(notes.map { ($0.id, [$0.title]) }, ["title"], [1], toleratesTypos: true)
  }

  private init(
    _ rows: [(Int, [String])], _ fields: [String], _ weights: [Double],
    toleratesTypos: Bool = false
  ) {
    self.rows = rows.map { id, texts in
      (id, texts.map { UnicodeWords().words(in: $0).map(\.text) })
    }
    self.fields = fields
    self.weights = weights
    self.toleratesTypos = toleratesTypos
  }

  func search(_ text: String) -> [(id: Int, score: Double)] {
    let query = TextQuery(text, fields: fields, tokenizer: UnicodeWords())
    if query.terms.isEmpty { return [] }
    let included = query.terms.filter { !$0.isExcluded }
    let all = rows.map { row in row.words.reduce(0) { $0 + $1.count } }
    let counts = included.map { Double(rowCount($0)) }
    let average = Double(max(1, all.reduce(0, +))) / Double(max(1, rows.count))
    var found: [(id: Int, score: Double, order: Int)] = []
    for (order, row) in rows.enumerated() {
      if query.terms.contains(where: { (frequency($0, row.words) == nil) != $0.isExcluded }) {
        continue
      }
      var score = 0.0
      for (term, count) in zip(included, counts) {
        let frequency = frequency(term, row.words) ?? 0
        let rarity = log(1 + (Double(rows.count) - count + 0.5) / (count + 0.5))
        let length = Double(all[order]) / average
        score += rarity * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length))
      }
      found.append((row.id, score, order))
    }
    found.sort { a, b in
      abs(a.score - b.score) > 1e-9 ? a.score > b.score : a.order < b.order
    }
    return found.map { ($0.id, $0.score) }
  }

  private func frequency(_ term: TextQuery.Term, _ fields: [[String]]) -> Double? {
    var result: Double?
    for (field, words) in fields.enumerated() where term.field == nil || term.field == field {
      for start in words.indices where start + term.words.count <= words.count {
        let isMatch = term.words.indices.allSatisfy {
          matches(term.words[$0], of: term, words[start + $0])
        }
        if isMatch { result = (result ?? 0) + weights[field] }
      }
    }
    return result
  }

  private func matches(
    _ wanted: TextQuery.Word, of term: TextQuery.Term, _ word: String
  ) -> Bool {
    if !wanted.isPrefix { return word == wanted.text }
    func begins(_ word: String) -> Bool { word.utf8.starts(with: wanted.text.utf8) }
    if begins(word) { return true }
    guard toleratesTypos, !term.isExcluded,
      !rows.contains(where: { $0.words.joined().contains(where: begins) })
    else { return false }
    let letters = Array(wanted.text.unicodeScalars)
    let typos = letters.count < 4 ? 0 : letters.count < 8 ? 1 : 2
    return Self.begins(Array(word.unicodeScalars)[...], letters[...], typos)
  }

  /// Whether a word begins with another that has no more than some typos.
  private static func begins(
    _ word: ArraySlice<Unicode.Scalar>, _ wanted: ArraySlice<Unicode.Scalar>, _ typos: Int
  ) -> Bool {
    guard let letter = wanted.first else { return true }
    if letter == word.first, begins(word.dropFirst(), wanted.dropFirst(), typos) { return true }
    if typos == 0 { return false }
    let isExchanged =
      word.count > 1 && word.prefix(2).elementsEqual(wanted.prefix(2).reversed())
      && begins(word.dropFirst(2), wanted.dropFirst(2), typos - 1)
    return isExchanged || begins(word, wanted.dropFirst(), typos - 1)
      || !word.isEmpty && begins(word.dropFirst(), wanted.dropFirst(), typos - 1)
      || !word.isEmpty && begins(word.dropFirst(), wanted, typos - 1)
  }

  /// The statistic of a term: the rows of its rarest word, where the rows of a prefix are those of
  /// its words, added up.
  private func rowCount(_ term: TextQuery.Term) -> Int {
    let counts = term.words.map { wanted in
      rows.reduce(0) { count, row in
        count + Set(row.words.joined()).filter { matches(wanted, of: term, $0) }.count
      }
    }
    return min(rows.count, counts.min() ?? 0)
  }
}
