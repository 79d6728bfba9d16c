import EntiaTestSupport
import Foundation
import Testing

@Suite("Figures of the pages")
struct GuideFiguresTests {
  @Test("The measured figures of the article on costs are those of the README")
  func costs() throws {
    let readme = try Self.figures(of: "README.md")
    #expect(readme.count > 10)
    #expect(try Self.figures(of: "Sources/Library/Entia/Entia.docc/Reference/Costs.md") == readme)
  }

  @Test(
    "What the pages conclude about rivals follows from the table",
    arguments: ["README.md", "Sources/Library/Entia/Entia.docc/Reference/Costs.md"])
  func conclusion(page: String) throws {
    let table = try Self.figures(of: page).map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    var less: [String: Double] = [:]
    var more: [String: Double] = [:]
    for row in table.dropFirst(2).prefix(while: { !$0[0].hasPrefix("JSON read") }) {
      // Entia has three columns, and a rival one, at the greatest size.
      let own = try #require(Self.amount(row[3]))
      let rivals = (4..<row.count).compactMap { column in
        Self.amount(row[column]).map { (name: table[0][column].split(separator: ",")[0], $0 / own) }
      }
      for (name, ratio) in rivals where ratio < 1 { less["\(row[0]), \(name)"] = ratio }
      if let best = rivals.min(by: { $0.1 < $1.1 }), best.1 >= 1 {
        more["\(row[0]), \(best.name)"] = best.1
      }
    }
    let head = "than Entia, in"
    try Self.expect(less, in: page, below: "these take less \(head) shares of its figure: ")
    try Self.expect(
      more, in: page, below: "the best of the others takes more \(head) multiples of its figure: ")
  }

  /// Expects the sentence of a page that begins with a text to state ratios.
  private static func expect(
    _ ratios: [String: Double], in page: String, below head: String
  ) throws {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.contains(head) }, "\(head)")
    let sentence = try #require(line.split(separator: head).last)
    var stated: [String: Double] = [:]
    for entry in sentence.dropLast().split(separator: "; ") {
      let parts = entry.split(separator: ": ")
      for share in parts[1].split(separator: ", ") {
        let words = share.split(separator: " ")
        stated["\(parts[0]), \(words[0])"] = Double(words[1].filter { $0 != "," }) ?? .nan
      }
    }
    #expect(stated.keys.sorted() == ratios.keys.sorted())
    // The cells have two digits or more, and a great multiple is rounded to two.
    for (name, ratio) in stated {
      #expect(abs(ratio / (ratios[name] ?? 0) - 1) < (ratio < 100 ? 0.05 : 0.1), "\(name)")
    }
  }

  /// Returns the amount of a cell, in nanoseconds or bytes.
  private static func amount(_ cell: String) -> Double? {
    let units = ["ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "B": 1, "KiB": 1_024, "MiB": 1_048_576]
    let words = cell.split(separator: " ").map(String.init)
    guard words.count == 2, let number = Double(words[0]), let unit = units[words[1]] else {
      return nil
    }
    return number * unit
  }

  /// Returns the lines of the table of measured figures in a page.
  private static func figures(of path: String) throws -> [Substring] {
    let page = Repository.root.appendingPathComponent(path)
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| A time each") }
    return Array(table.prefix { $0.hasPrefix("|") })
  }
}
