import Foundation

@testable import EntiaDatabase

/// What a search must find, said as simply as can be: without postings, trees and heaps.
struct TextModel {
  private let rows: [(id: Int, words: [[String]])]
  private let weights = [2.0, 1.0]

  /// - Parameter notes: The rows, in insertion order.
  init(_ notes: some Sequence<Memo>) {
    rows = notes.map { note in
      let texts = [note.title, note.summary ?? ""]
      return (note.id, texts.map { UnicodeWords().words(in: $0).map(\.text) })
    }
  }

  func search(_ text: String) -> [(id: Int, score: Double)] {
    let query = TextQuery(text, fields: ["title", "summary"], tokenizer: UnicodeWords())
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
        let isMatch = term.words.indices.allSatisfy { matches(term.words[$0], words[start + $0]) }
        if isMatch { result = (result ?? 0) + weights[field] }
      }
    }
    return result
  }

  private func matches(_ wanted: TextQuery.Word, _ word: String) -> Bool {
    wanted.isPrefix ? word.utf8.starts(with: wanted.text.utf8) : word == wanted.text
  }

  /// The statistic of a term: the rows of its rarest word, where the rows of a prefix are those of
  /// its words, added up.
  private func rowCount(_ term: TextQuery.Term) -> Int {
    let counts = term.words.map { wanted in
      rows.reduce(0) { count, row in
        count + Set(row.words.joined()).filter { matches(wanted, $0) }.count
      }
    }
    return min(rows.count, counts.min() ?? 0)
  }
}
