import EntiaTestSupport
import Foundation
import Testing

@Suite("The list of laws")
struct LawListTests {
  @Test("Each file that the article lists for a law has a test that names the law")
  func listedFiles() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent(
        "Sources/Library/Entia/Entia.docc/Reference/Laws.md"), encoding: .utf8)
    var files: [Int: [String]] = [:]
    for line in page.split(separator: "\n") {
      guard let row = line.wholeMatch(of: /\| (\d+) \|.*\|(.*)\|/), let law = Int(row.1) else {
        continue
      }
      var listed = row.2.matches(of: /`(Entia\w+Tests\/[^`]+)`/).map { String($0.1) }
      if let other = row.2.firstMatch(of: /as law (\d+)/) {
        listed += try #require(Int(other.1).flatMap { files[$0] })
      }
      #expect(!listed.isEmpty, "law \(law) has no test")
      files[law] = listed
    }
    #expect(files.count > 40)
    for (law, listed) in files.sorted(by: { $0.key < $1.key }) {
      for path in listed {
        let text = try Self.text(ofTests: path)
        #expect(Self.laws(namedIn: text).contains(law), "\(path) does not name law \(law)")
      }
    }
  }

  /// Returns the text of a file of tests, such as `EntiaStoreTests/Commits/HookTests`.
  private static func text(ofTests path: String) throws -> String {
    let files = ["Library", "Tool"].map {
      Repository.root.appendingPathComponent("Tests/\($0)/\(path).swift")
    }
    let file = try #require(
      files.first { FileManager.default.fileExists(atPath: $0.path) }, "\(path) does not exist")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Returns the numbers in the names of tests and suites, such as `Laws 1, 3–5 and 7: …`.
  private static func laws(namedIn text: String) -> Set<Int> {
    var laws: Set<Int> = []
    for name in text.matches(of: /@(?:Test|Suite)\(\s*"{1,3}[^"]*"/) {
      for list in name.0.matches(of: /[Ll]aws? ([0-9,–\- ]+(?:and [0-9]+)?)/) {
        for range in list.1.matches(of: /(\d+)(?:\s*[–-]\s*(\d+))?/) {
          guard let first = Int(range.1) else { continue }
          let last = range.2.flatMap { Int($0) } ?? first
          if first <= last { laws.formUnion(first...last) }
        }
      }
    }
    return laws
  }
}
