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
    let last = table[0].count - 1
    var rows = 0
    var less = 0
    for row in table.dropFirst(2).prefix(while: { !$0[0].hasPrefix("JSON read") }) {
      // Entia has three columns, and a rival one, at the greatest size.
      let own = try #require(Self.amount(row[3]))
      let rivals = (4..<last).compactMap { column in
        Self.amount(row[column]).map { (name: table[0][column].split(separator: ",")[0], $0 / own) }
      }
      guard let best = rivals.min(by: { $0.1 < $1.1 }) else {
        #expect(row[last].isEmpty, "\(row[0])")
        continue
      }
      rows += 1
      if best.1 < 1 { less += 1 }
      #expect(row[last].hasPrefix("**") == (best.1 < 1), "\(row[0])")
      let words = row[last].filter { $0 != "*" && $0 != "," }.split(separator: " ")
      #expect(words.first == best.name, "\(row[0])")
      let ratio = try #require(words.last.flatMap { Double($0) })
      // The cells have two digits or more, and a great multiple is rounded to two.
      #expect(abs(ratio / best.1 - 1) < (ratio < 100 ? 0.05 : 0.1), "\(row[0])")
    }
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
    #expect(rows > 10)
    let sentence = "In \(less) of \(rows) rows it is below 1, and bold: there Entia takes more."
    #expect(text.contains(sentence))
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
