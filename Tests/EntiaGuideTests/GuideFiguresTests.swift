import Foundation
import Testing

@Suite("Figures of the pages")
struct GuideFiguresTests {
  @Test("The measured figures of the article on costs are those of the README")
  func costs() throws {
    let readme = try Self.figures(of: "README.md")
    #expect(readme.count > 10)
    #expect(try Self.figures(of: "Sources/Entia/Entia.docc/Reference/Costs.md") == readme)
  }

  /// Returns the lines of the table of measured figures in a page.
  private static func figures(of path: String) throws -> [Substring] {
    let page = GuidePage.root.appendingPathComponent(path)
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| A time each") }
    return Array(table.prefix { $0.hasPrefix("|") })
  }
}
