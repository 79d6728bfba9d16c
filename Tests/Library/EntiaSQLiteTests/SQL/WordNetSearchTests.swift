import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// The words and glosses of WordNet, searched by a text index and by SQLite's FTS5.
///
/// Both find the same rows, with one exception. In a text index, an apostrophe inside of a word is
/// left out unless a single letter precedes it, so that `dont` finds `don't` and `s` does not. For
/// FTS5 it separates words. Where such apostrophes were removed before, there is no difference.
/// `ENTIA_CI_SLOW=1` takes all senses, otherwise it is one in 100.
@Suite("Search beside FTS5", .enabled(if: WordNet.missing == nil, "\(WordNet.missing ?? "")"))
struct WordNetSearchTests {
  private static let senses = WordNet.senses(
    every: ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1" ? 1 : 100)

  @Test("Law 45: words, prefixes and phrases find the same rows as FTS5, except for apostrophes")
  func asWritten() throws {
    let rivals = try Rivals(Self.senses)
    let joined = Set(Self.senses.filter { $0.joined() != $0 }.map(\.id))
    expectFalse(joined.isEmpty)
    var explained = 0
    for (query, rows) in try rivals.differences() {
      let others = rows.subtracting(joined)
      expectTrue(others.isEmpty, "\(query) differs in rows without apostrophes: \(others.sorted())")
      explained += rows.count
    }
    #expect(explained > 0)
  }

  @Test("Law 45: without apostrophes, words, prefixes and phrases find the same rows as FTS5")
  func withoutApostrophes() throws {
    let rivals = try Rivals(Self.senses.map { $0.joined() })
    for (query, rows) in try rivals.differences() {
      Issue.record("\(query) differs in \(rows.sorted().prefix(10))")
    }
  }
}

/// Both indexes of the same rows.
private struct Rivals {
  private let senses: [Sense]
  private var index = Indexes.Text<Sense>(\.words, \.gloss)
  private let connection: SQLiteConnection
  private let select: SQLiteStatement

  init(_ senses: [Sense]) throws {
    self.senses = senses
    index.rebuild { visit in for sense in senses { visit(sense) } }
    connection = try SQLiteConnection(path: nil, mode: .readWrite)
    try connection.execute(
      """
      CREATE VIRTUAL TABLE sense USING fts5(
        words, gloss, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
      """)
    let insert = try connection.prepare("INSERT INTO sense(rowid, words, gloss) VALUES (?, ?, ?)")
    for sense in senses {
      try insert.run([.integer(Int64(sense.id)), .text(sense.words), .text(sense.gloss)])
    }
    select = try connection.prepare("SELECT rowid FROM sense WHERE sense MATCH ?", isKept: true)
  }

  /// Returns the queries for which the rows differ, with these rows.
  func differences() throws -> [(query: String, rows: Set<Int>)] {
    let words = try words()
    let prefixes = Set(words.flatMap { word in (1...4).map { String(word.prefix($0)) } })
    var result: [(query: String, rows: Set<Int>)] = []
    func compare(_ own: String, with other: String) throws {
      let rows = try found(own).symmetricDifference(found(byFTS5: other))
      if !rows.isEmpty { result.append((own, rows)) }
    }
    for word in words { try compare("\"\(word)\"", with: "\"\(word)\"") }
    for prefix in prefixes { try compare(prefix, with: "\"\(prefix)\"*") }
    for (number, sense) in senses.enumerated() {
      let parts = sense.gloss.split { $0 == " " || $0 == "\"" }
      guard let start = parts.indices.dropLast(2).dropFirst(number % 8).first else { continue }
      let phrase = "\"\(parts[start...(start + 1 + number % 2)].joined(separator: " "))\""
      try compare(phrase, with: phrase)
    }
    return result
  }

  /// The words of both indexes, in order.
  private func words() throws -> [String] {
    var words: Set<String> = []
    try connection.execute("CREATE VIRTUAL TABLE word USING fts5vocab(sense, 'row')")
    let terms = try connection.prepare("SELECT term FROM word")
    while try terms.step() { words.insert(terms.text(at: 0)) }
    for sense in senses {
      for text in [sense.words, sense.gloss] {
        UnicodeWords().visitWords(in: text) { words.insert($0.text) }
      }
    }
    return words.sorted()
  }

  private func found(_ query: String) -> Set<Int> { Set(index.search(query).map(\.id.raw)) }

  private func found(byFTS5 query: String) throws -> Set<Int> {
    try select.bind(.text(query), at: 0)
    var rows: Set<Int> = []
    while try select.step() { rows.insert(Int(select.integer(at: 0))) }
    select.reset()
    return rows
  }
}

/// Words with the same meaning, and a gloss.
private struct Sense: EntityType, Identifiable, Equatable {
  let id: Int
  var words: String
  var gloss: String

  /// Returns the texts without the apostrophes that a text index leaves out.
  func joined() -> Sense {
    Sense(id: id, words: Self.joined(words), gloss: Self.joined(gloss))
  }

  private static func joined(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    var letterCount = 0
    func isLetter(_ index: Int) -> Bool {
      guard index < bytes.count else { return false }
      let character = Character(Unicode.Scalar(bytes[index]))
      return character.isLetter || character.isNumber
    }
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "'"), letterCount > 1, isLetter(index + 1) { continue }
      letterCount = isLetter(index) ? letterCount + 1 : 0
      kept.append(bytes[index])
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// The files of WordNet, which the package `wordnet-base` of Debian has. Their text is ASCII.
private enum WordNet {
  private static let files = ["adj", "adv", "noun", "verb"].map { "/usr/share/wordnet/data.\($0)" }

  /// The reason why the tests cannot run; `nil` if they can.
  static let missing: String? = {
    for file in files where !FileManager.default.isReadableFile(atPath: file) {
      return "WordNet is not installed: there is no \(file)"
    }
    do {
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      try connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    } catch {
      return "SQLite has no FTS5: \(error)"
    }
    return nil
  }()

  /// Returns every sense with a number that is a multiple of another one.
  static func senses(every step: Int) -> [Sense] {
    var result: [Sense] = []
    var number = 0
    for file in files {
      let bytes = FileManager.default.contents(atPath: file) ?? Data()
      // The lines of the licence begin with spaces.
      for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first != 0x20 {
        number += 1
        if !number.isMultiple(of: step) { continue }
        let parts = String(decoding: line, as: UTF8.self).split(separator: "|", maxSplits: 1)
        let fields = parts[0].split(separator: " ")
        // The number of words is hexadecimal, and each word is followed by another number.
        let count = Int(fields[3], radix: 16) ?? 0
        let words = (0..<count).map { fields[4 + 2 * $0] }.joined(separator: ", ")
        result.append(
          Sense(id: number, words: words, gloss: parts.count > 1 ? String(parts[1]) : ""))
      }
    }
    return result
  }
}
